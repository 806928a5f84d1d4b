internal import ArgumentParser

/// A command that makes its options itself if they are plain words.
protocol PlainCommand: PlainOptions, AsyncParsableCommand {}

extension PlainCommand {
  /// The command that the parser makes from the words behind its name; nil if the parser has to look at them,
  /// and for options that it refuses.
  static func plain(_ words: [String]) -> Self? {
    let short = ["-o": "--output", "-q": "--quiet", "-v": "--verbose"]
    guard var words = try? PlainWords(words, short: short) else { return nil }
    return try? Self(&words)
  }
}

extension RenderCommand: PlainCommand {
  mutating func read(_ words: inout PlainWords) throws {
    layout = try LayoutOptions(&words)
    window = try ViewportOptions(&words)
    output = try RenderOptions(&words)
    pictures = try PictureOptions(&words)
    drawing = try DrawingOptions(&words)
    document = try DocumentOptions(&words)
    input = try InputOptions(&words)
    cache = try CacheOptions(&words)
    shared = try SharedCacheOptions(&words)
    messages = try MessageOptions(&words)
    file = try words.last()
  }
}

extension LayoutCommand: PlainCommand {
  mutating func read(_ words: inout PlainWords) throws {
    layout = try LayoutOptions(&words)
    window = try ViewportOptions(&words)
    all = words.flag("--all")
    document = try DocumentOptions(&words)
    input = try InputOptions(&words)
    cache = try CacheOptions(&words)
    messages = try MessageOptions(&words)
    file = try words.last()
  }
}
