internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import SystemPackage

/// The destination of a picture, and its style.
struct PictureOutput {
  /// The format and quality.
  let style: PictureStyle
  /// The file; nil for standard output.
  private let file: FilePath?

  /// The destination that `argument` names: `-`, or a file. A file that is open as standard output is treated as `-`,
  /// so that there are no two writers.
  ///
  /// - Throws: A usage failure if both are the same file, or the picture would be printed to a
  ///   terminal.
  init(_ argument: String, of document: DocumentInput, style: PictureStyle) throws(Failure) {
    let path = FilePath(argument: argument)
    let node = Files.node(of: path)
    if let node, node == document.node {
      throw Failure(output: FileError("write", path, refusal: .isInput))
    }
    let isOpen = node != nil && node == Files.node(of: FileDescriptor.standardOutput)
    file = argument == "-" || isOpen ? nil : path
    guard file != nil || isatty(FileDescriptor.standardOutput.rawValue) == 0 else {
      throw Failure(
        usage:
          "standard output is a terminal, and a picture is not text; redirect it, or name a file"
      )
    }
    self.style = style
  }

  /// Whether nothing else may be written to standard output.
  var isStandardOutput: Bool { file == nil }

  /// Writes the picture.
  ///
  /// - Parameters:
  ///   - input: The document, which must not be overwritten.
  /// - Throws: A failure if the picture cannot be written.
  func write(_ picture: [UInt8], sparing input: FileNode) throws(Failure) {
    guard let file else { return try StandardStreams.write(picture) }
    do {
      try Files.writeOutput(picture, to: file, sparing: [input])
    } catch {
      throw Failure(output: error)
    }
  }
}
