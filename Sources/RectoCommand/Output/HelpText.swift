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

  /// What follows `help` for the options that commands share.
  static let sharedTopic = "options"

  /// The groups of options that commands share, from the help of one that has all of them.
  static func shared(of text: String) -> String {
    text.split(separator: "\n\n").map { $0.drop { $0 == "\n" } }
      .filter { section in ["DOCUMENT:", "CACHE:", "MESSAGES:"].contains { section.hasPrefix($0) } }
      .joined(separator: "\n\n")
  }

  /// Whether a section is a group of options.
  static func isGroup(_ section: Substring) -> Bool {
    let header = section.prefix { $0 != "\n" }
    return header.hasSuffix(":") && header == header.uppercased() && header != "ARGUMENTS:"
  }
}
