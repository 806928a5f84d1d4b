internal import FileSystem
internal import SystemPackage

/// The destination of a picture.
enum PictureOutput {
  case standardOutput
  case file(FilePath)

  /// The place that `argument` names: `-`, or a file. A file that standard output has open is standard
  /// output, so that two writers do not get in each other's way.
  ///
  /// - Parameters:
  ///   - argument: The argument of the option.
  ///   - document: The document.
  /// - Throws: Wrong usage when both are one file.
  init(_ argument: String, of document: DocumentInput) throws(Failure) {
    let path = FilePath(argument: argument)
    let node = Files.node(of: path)
    if let node, node == document.node {
      throw Failure(output: FileError("write", path, refusal: .isInput))
    }
    if argument == "-" || (node != nil && node == Files.node(of: FileDescriptor.standardOutput)) {
      self = .standardOutput
    } else {
      self = .file(path)
    }
  }

  /// Whether nothing else may be written to standard output.
  var isStandardOutput: Bool {
    if case .standardOutput = self { true } else { false }
  }

  /// Writes the picture.
  ///
  /// - Parameters:
  ///   - picture: The PNG file.
  ///   - input: The document, which is not written over.
  /// - Throws: A failure if the picture cannot be written.
  func write(_ picture: [UInt8], sparing input: FileNode) throws(Failure) {
    switch self {
    case .standardOutput: try StandardStreams.write(picture)
    case .file(let path):
      do {
        try Files.writeOutput(picture, to: path, sparing: [input])
      } catch {
        throw Failure(output: error)
      }
    }
  }
}
