internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// What `recto doctor` finds out.
struct DoctorReport {
  /// The worker program and its answer, or the error.
  private let worker: Result<(program: FilePath, inspection: WorkerInspection), DocumentError>
  /// The cache; nil if there is no directory for it.
  private let cache: CacheDirectory?
  /// Why the cache cannot be used.
  private let cacheFailure: String?
  private let machine = Machine()

  /// Checks the machine.
  init() async {
    do throws(DocumentError) {
      let program = try WorkerProgram.locate()
      worker = .success((program, try await WorkerInspection.inspect(program)))
    } catch {
      worker = .failure(error)
    }
    cache = CacheDirectory.ofUser
    var failure: String? = cache == nil ? CacheOptions.noDirectory : nil
    if let cache {
      do throws(FileError) {
        try cache.check()
      } catch {
        failure = "\(error)"
      }
    }
    cacheFailure = failure
  }

  /// Whether nothing is missing.
  var isComplete: Bool {
    guard case .success(let worker) = worker, cacheFailure == nil else { return false }
    let description = worker.inspection.description
    guard case .success = worker.inspection.drawing else { return false }
    return DocumentError(requiring: description.sandbox) == nil && description.fontCount > 0
      && description.unreadableFonts.isEmpty && description.hasCharacterMaps
      && description.standardFonts.allSatisfy { $0.file != nil }
  }

  /// Prints a line with a name and a value for each item.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printText() throws(Failure) {
    var lines = [("version", Version.text), ("system", machine.system)]
    switch worker {
    case .failure(let error): lines.append(("worker", "missing: \(error)"))
    case .success(let (program, inspection)):
      lines.append(("worker", program.printable))
      lines += Self.lines(inspection)
    }
    if let cache { lines.append(("cache", cache.root.printable)) }
    lines.append(("cache", cacheFailure.map { "not used: \($0)" } ?? "can be used"))
    lines += machine.limits.map { ("limit", "\($0.name): \($0.text)") }
    let text = lines.map { name, value in
      name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + value + "\n"
    }
    try StandardStreams.write(Array(text.joined().utf8))
  }

  private static func lines(_ inspection: WorkerInspection) -> [(String, String)] {
    let description = inspection.description
    var lines = [("engine", description.engine)]
    switch inspection.drawing {
    case .success(let seconds):
      lines.append(
        ("drawing", "a page in \(Int((seconds * 1000).rounded())) ms, with the start of a worker")
      )
    case .failure(let error): lines.append(("drawing", "failed: \(error)"))
    }
    for layer in description.sandbox {
      let state = layer.isInForce ? "in force" : "missing"
      lines.append(("sandbox", "\(layer.kind.rawValue): \(state): \(layer.detail)"))
    }
    let isComplete = DocumentError(requiring: description.sandbox) == nil
    lines.append(
      ("sandbox", isComplete ? "complete" : "not complete: --sandbox require refuses to draw")
    )
    lines.append(("fonts", "\(description.fontCount) files"))
    for font in description.standardFonts {
      lines.append(("fonts", "\(font.name): \(font.file ?? "missing")"))
    }
    for file in description.unreadableFonts {
      lines.append(("fonts", "\(file): the sandbox does not let it be read"))
    }
    let maps = description.hasCharacterMaps ? "there" : "missing: install poppler-data"
    lines.append(("fonts", "character maps: \(maps)"))
    return lines
  }

  /// Prints one JSON object.
  ///
  /// - Throws: A failure if standard output cannot be written.
  func printJSON() throws(Failure) {
    var writer = JSONWriter()
    writer.object { object in
      object.member("format", 1)
      object.member("complete", isComplete)
      object.member("version", Version.text)
      object.member("system", machine.system)
      object.object("worker") { object in
        switch worker {
        case .success(let (program, inspection)):
          object.path(program)
          object.inspection(inspection)
        case .failure(let error): object.error(error)
        }
      }
      object.object("cache") { object in
        if let cache { object.path(cache.root) }
        object.member("usable", cacheFailure == nil)
        object.member("reason", cacheFailure)
      }
      object.object("limits") { object in
        for limit in machine.limits {
          if let value = limit.value {
            object.member(limit.key, value)
          } else {
            object.null(limit.key)
          }
        }
      }
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
  }
}

extension JSONWriter {
  /// The members of a worker.
  fileprivate mutating func inspection(_ inspection: WorkerInspection) {
    let description = inspection.description
    member("engine", description.engine)
    object("drawing") { object in
      switch inspection.drawing {
      case .success(let seconds): object.member("seconds", (seconds * 1e6).rounded() / 1e6)
      case .failure(let error): object.error(error)
      }
    }
    member("sandboxed", DocumentError(requiring: description.sandbox) == nil)
    array("sandbox") { array in
      for layer in description.sandbox {
        array.object { object in
          object.member("layer", layer.kind.rawValue)
          object.member("inForce", layer.isInForce)
          object.member("required", layer.kind.isRequired)
          object.member("detail", layer.detail)
        }
      }
    }
    object("fonts") { object in
      object.member("files", description.fontCount)
      object.array("standard") { array in
        for font in description.standardFonts {
          array.object { object in
            object.member("name", font.name)
            object.member("file", font.file)
          }
        }
      }
      object.array("unreadable") { array in
        for file in description.unreadableFonts { array.value(file) }
      }
      object.member("characterMaps", description.hasCharacterMaps)
    }
  }
}
