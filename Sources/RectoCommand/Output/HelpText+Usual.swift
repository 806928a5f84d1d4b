extension HelpText {
  /// The help that `-h` prints: at most a screen, with the options that are used most. A help that is not longer than
  /// a screen is printed as a whole.
  static func usual(_ text: String) -> String {
    let name = command(of: text)
    guard let names = usualOptions[name] else { return ordered(text) }
    let sections = text.split(separator: "\n\n")
    let overview = sections.prefix(1).map { $0.dropFirst("OVERVIEW: ".count) }
    let kept = sections.filter { section in
      ["Example:", "USAGE: ", "ARGUMENTS:"].contains { section.hasPrefix($0) }
    }.map { $0.hasPrefix("Example:") ? $0.lines(mostExamples + 1) : $0 }
    let entries = sections.filter(isGroup).flatMap(entries)
    let options = names.compactMap { name in entries.first { $0.isEntry(of: name) } }
    let rest = "All options: recto \(name) --help"
    return (overview + kept + ["OPTIONS:\n" + options.joined(separator: "\n"), rest[...]])
      .joined(separator: "\n\n")
  }

  /// The options of `-h`, by command, in the order in which they are printed.
  static let usualOptions: [String: [String]] = [
    "info": ["--json", "--pages", "--all", "--fonts", "--images", "--password"],
    "layout": [
      "--mode", "--spread", "--fit", "--zoom", "--viewport", "--offset", "--page", "--pages",
      "--all",
    ],
    "render": [
      "--mode", "--spread", "--fit", "--zoom", "--viewport", "--offset", "--page", "--scale",
      "--output", "--image", "--no-cache",
    ],
    "pages": [
      "--output", "--dpi", "--size", "--crop", "--format", "--gray", "--transparent", "--json",
      "--jobs", "--password",
    ],
    "thumbs": [
      "--output", "--size", "--pages", "--from", "--resume", "--watch", "--sheet", "--jobs",
    ],
    "text": ["--pages", "--area", "--json", "--jobs", "--password"],
    "search": ["--pages", "--case-sensitive", "--whole-words", "--max-count", "--json"],
    "links": ["--pages", "--json", "--password"],
    "outline": ["--json", "--password"],
    "serve": ["--http", "--mode", "--spread", "--fit", "--token-file", "--password"],
  ]

  /// The most examples that `-h` prints.
  private static let mostExamples = 2

  /// The words of a command after `recto`, as in `USAGE: recto cache clear [<options>]`.
  private static func command(of text: String) -> String {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("USAGE: recto ") })
    else { return "" }
    return line.split(separator: " ").dropFirst(2)
      .prefix { $0.first?.isLetter ?? false }.joined(separator: " ")
  }

  /// The entries of a group of options: each begins with two spaces and a dash.
  private static func entries(of group: Substring) -> [Substring] {
    var entries: [Substring] = []
    for line in group.split(separator: "\n").dropFirst() {
      if line.hasPrefix("  -") || entries.isEmpty {
        entries.append(line)
      } else if let last = entries.popLast() {
        entries.append(group[last.startIndex..<line.endIndex])
      }
    }
    return entries
  }
}

extension Substring {
  /// The first lines.
  fileprivate func lines(_ count: Int) -> Substring {
    split(separator: "\n").prefix(count).last.map { self[..<$0.endIndex] } ?? self
  }

  /// Whether it describes an option: `  -o, --output <dir>  Directory …`.
  fileprivate func isEntry(of name: String) -> Bool {
    drop { $0 == " " }.prefix { $0 != "<" }.split { " ,/\n".contains($0) }
      .prefix { $0.hasPrefix("-") }.contains { $0 == name }
  }
}
