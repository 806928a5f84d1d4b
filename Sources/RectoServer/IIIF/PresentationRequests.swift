internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// The IIIF Presentation API 3.0: a manifest for each document, and a collection for each folder.
struct PresentationRequests: Sendable {
  let documents: OpenDocuments
  let gate: DrawingGate
  let base: BaseURI
  let pixels: Int

  /// The most pages of a document with a manifest, which has all of them.
  private static let largestPageCount = 50_000

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path after `/iiif/presentation/3`.
  /// - Throws: A problem if there is no such document or folder, or the document cannot be opened.
  func answer(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    let base = base.uri(for: request)
    if parts.first == "collection", parts.count <= 2 {
      let folders = ServedFolders(documents.library)
      guard let folder = folders.folder(named: parts.count == 2 ? String(parts[1]) : "") else {
        throw .notFound
      }
      let json = Collection(folder, folders, base: base).json
      let tag = "collection-\(StableDigest(json).value)"
      return .linkedData(json, context: "presentation/3", tag: tag, to: request)
    }
    guard parts.count == 2, parts[1] == "manifest", let entry = documents.library[String(parts[0])]
    else { throw .notFound }
    return try await documents.with(entry) { open async throws(Problem) in
      guard open.info.pageCount <= Self.largestPageCount else {
        throw Problem(
          .unprocessableContent,
          "the document has \(open.info.pageCount) pages; the limit of a manifest is "
            + "\(Self.largestPageCount)"
        )
      }
      return try await gate.draw { () async throws(Problem) in
        let manifest = try await Problem.of { () async throws(DocumentError) in
          try await Manifest(entry, open, base: base, pixels: pixels)
        }
        return .linkedData(manifest.json, context: "presentation/3", tag: open.version, to: request)
      }
    }
  }
}

/// The folders of the library, with names that do not reveal their paths.
struct ServedFolders {
  struct Folder {
    /// The name in addresses; empty for all documents.
    var id: String
    var name: String
    var documents: [ServedLibrary.Entry] = []
    var folders: [String] = []
  }

  private var folders: [String: Folder] = ["": Folder(id: "", name: "Documents")]

  init(_ library: ServedLibrary) {
    var ids: [String: String] = ["": ""]
    for entry in library.entries {
      var path = ""
      var parent = ""
      for part in entry.folder.split(separator: "/") {
        path += "/\(part)"
        let id = ids[path] ?? "folder-\(StableDigest(path.utf8).value)"
        if ids.updateValue(id, forKey: path) == nil {
          folders[id] = Folder(id: id, name: String(part))
          folders[parent]?.folders.append(id)
        }
        parent = id
      }
      folders[parent]?.documents.append(entry)
    }
  }

  func folder(named id: String) -> Folder? { folders[id] }
}

/// A collection of manifests and child collections.
struct Collection {
  let json: [UInt8]

  init(_ folder: ServedFolders.Folder, _ folders: ServedFolders, base: String) {
    var writer = JSONWriter()
    let uri = "\(base)/iiif/presentation/3/collection"
    writer.object { object in
      object.member("@context", "http://iiif.io/api/presentation/3/context.json")
      object.member("id", folder.id.isEmpty ? uri : "\(uri)/\(folder.id)")
      object.member("type", "Collection")
      object.label(folder.name)
      object.array("items") { array in
        for below in folder.folders.compactMap(folders.folder) {
          array.object { object in
            object.member("id", "\(uri)/\(below.id)")
            object.member("type", "Collection")
            object.label(below.name)
          }
        }
        for entry in folder.documents {
          array.object { object in
            object.member("id", "\(base)/iiif/presentation/3/\(entry.id)/manifest")
            object.member("type", "Manifest")
            object.label(entry.name)
          }
        }
      }
    }
    json = writer.bytes
  }
}

extension JSONWriter {
  /// Writes a label without a language.
  mutating func label(_ text: String, as key: String = "label") {
    object(key) { object in object.array("none") { $0.value(text) } }
  }
}
