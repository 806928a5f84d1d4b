/// The help of a command, as the parser writes it.
enum HelpText {
  /// The help with the command's own options before shared ones; the parser puts them after.
  static func ordered(_ text: String) -> String {
    var sections = text.split(separator: "\n\n", omittingEmptySubsequences: false)
    guard let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }),
      let first = sections[..<own].firstIndex(where: isGroup)
    else { return text }
    sections.insert(sections.remove(at: own), at: first)
    return sections.joined(separator: "\n\n")
  }

  /// Whether a section is a group of options.
  static func isGroup(_ section: Substring) -> Bool {
    let header = section.prefix { $0 != "\n" }
    return header.hasSuffix(":") && header == header.uppercased() && header != "ARGUMENTS:"
  }
}
