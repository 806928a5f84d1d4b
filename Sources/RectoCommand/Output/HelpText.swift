/// The help of a command, as the parser writes it.
enum HelpText {
  /// The help with the options of the command itself in front of those that it shares with others; the parser puts
  /// them behind.
  static func ordered(_ text: String) -> String {
    var sections = text.split(separator: "\n\n", omittingEmptySubsequences: false)
    guard let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }),
      let first = sections[..<own].firstIndex(where: isGroup)
    else { return text }
    sections.insert(sections.remove(at: own), at: first)
    return sections.joined(separator: "\n\n")
  }

  /// Whether a section is a group of options.
  private static func isGroup(_ section: Substring) -> Bool {
    let header = section.prefix { $0 != "\n" }
    return header.hasSuffix(":") && header == header.uppercased() && header != "ARGUMENTS:"
  }
}
