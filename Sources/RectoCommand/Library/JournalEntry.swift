internal import FoundationEssentials
internal import RectoBase
internal import SystemPackage

/// A line of a journal: the result of a document, and its conditions.
struct JournalEntry: Hashable, Sendable {
  /// The subject of an entry: a document, its name in the output folder, and the options.
  struct Subject: Hashable, Sendable {
    /// The path as it was typed.
    var path: [UInt8]
    /// The name of the document's output.
    var name: [UInt8]
    /// The options on which the files depend.
    var options: String

    /// A digest of the subject, for lookup.
    var digest: StableDigest {
      StableDigest([path, name, Array(options.utf8)].joined(separator: [0]))
    }
  }

  var subject: Subject
  /// The file before the work; nil if there was none.
  var identity: JournalIdentity?
  /// The result; its file paths are relative to the output folder.
  var record: LibraryRecord
  /// How long the work took.
  var seconds: Double
  /// When it ended, in seconds since 1970.
  var time: Double

  /// The format version in the first member of each line; changes when a member changes its
  /// meaning.
  static let format = 1

  /// The line, without its end.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("journal", Self.format)
      object.path(bytes: subject.path)
      if !subject.name.isEmpty { object.path(bytes: subject.name, as: "name") }
      object.member("options", subject.options)
      if let identity {
        object.object("identity") { object in
          object.member("bytes", identity.bytes)
          object.member("inode", identity.inode)
          object.member("modified", identity.modified)
          object.member("changed", identity.changed)
        }
      }
      object.member("seconds", seconds)
      object.member("time", time)
      object.member("bytes", record.bytes)
      object.members(of: record)
    }
    return writer.bytes
  }
}

/// The identity of a document's file in a journal. Without the device number, which may differ on another machine or
/// after a restart.
struct JournalIdentity: Hashable, Sendable {
  var bytes: Int
  var inode: String
  /// Seconds and nanoseconds since 1970.
  var modified: String
  var changed: String
}

extension JournalIdentity {
  /// The part of an identity that is kept.
  init(_ identity: FileIdentity) {
    bytes = identity.size
    inode = String(UInt(bitPattern: identity.inode))
    modified = Self.time(identity.modifiedSeconds, identity.modifiedNanoseconds)
    changed = Self.time(identity.changedSeconds, identity.changedNanoseconds)
  }

  private static func time(_ seconds: Int, _ nanoseconds: Int) -> String {
    let digits = String(nanoseconds)
    return "\(seconds)." + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
  }
}

extension JournalEntry {
  /// The entry in a line; nil for a torn line, or one that is not of a journal.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  init?(line: some Collection<UInt8>) {
    guard let value = try? JSONValue(parsing: line),
      value["journal"]?.number == Double(Self.format),
      let path = value.path("path"), let options = value["options"]?.text,
      let seconds = value["seconds"]?.number, let time = value["time"]?.number
    else { return nil }
    subject = Subject(path: path, name: value.path("name") ?? [], options: options)
    identity = value["identity"].flatMap(JournalIdentity.init)
    self.seconds = seconds
    self.time = time
    record = LibraryRecord(path: path)
    record.pageCount = value["pages"]?.integer
    record.error = value["error"].flatMap(LibraryRecord.ErrorText.init)
    record.isInterrupted = value["interrupted"] != nil
    for kind in LibraryRecord.Kind.allCases {
      guard let pages = value[kind.rawValue]?.elements else { continue }
      record.kind = kind
      for page in pages {
        guard let page = LibraryRecord.Page(page) else { return nil }
        record.pages.append(page)
      }
    }
  }
}

extension JournalIdentity {
  /// The identity in an object.
  init?(_ value: JSONValue) {
    guard let bytes = value["bytes"]?.integer, let inode = value["inode"]?.text,
      let modified = value["modified"]?.text, let changed = value["changed"]?.text
    else { return nil }
    self.init(bytes: bytes, inode: inode, modified: modified, changed: changed)
  }
}

extension LibraryRecord.ErrorText {
  /// The error in an object.
  init?(_ value: JSONValue) {
    guard let code = value["code"]?.text, let message = value["message"]?.text else { return nil }
    self.init(code: code, message: message)
  }
}

extension LibraryRecord.Page {
  /// The page in an object.
  init?(_ value: JSONValue) {
    guard let number = value["page"]?.integer else { return nil }
    self.init(number: number, lastNumber: value["lastPage"]?.integer)
    error = value["error"].flatMap(LibraryRecord.ErrorText.init)
    if let path = value.path("file"), let width = value["width"]?.integer,
      let height = value["height"]?.integer, let bytes = value["bytes"]?.integer
    {
      file = LibraryRecord.Picture(
        path: FilePath(bytes: path),
        longestSide: value["size"]?.integer,
        width: width,
        height: height,
        bytes: bytes,
        source: value["source"]?.text,
        incomplete: value["incomplete"]?.text,
        rasterizer: value["rasterizer"]?.text
      )
    }
    if file == nil, error == nil { return nil }
  }
}

extension JSONValue {
  /// A member of an object.
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  var integer: Int? { number.flatMap { Int(exactly: $0) } }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// A path; its bytes are in a second member if they are not UTF-8.
  func path(_ name: String) -> [UInt8]? {
    guard let encoded = self["\(name)Bytes"] else { return self[name]?.text.map { Array($0.utf8) } }
    return encoded.text.flatMap { Data(base64Encoded: $0) }.map(Array.init)
  }
}
