/// Metadata of a document that layout and drawing do not need; for what they need see
/// ``DocumentInfo``.
public struct DocumentProperties: Hashable, Sendable {
  /// /Author; nil if it is missing or empty, like the other texts.
  public var author: String?
  /// /Subject.
  public var subject: String?
  /// /Keywords.
  public var keywords: String?
  /// /Creator: the program that made the original document.
  public var creator: String?
  /// /Producer: the program that wrote the PDF.
  public var producer: String?
  /// /CreationDate, if it is one.
  public var created: DocumentDate?
  /// /ModDate, if it is one.
  public var modified: DocumentDate?
  /// The version of PDF: of the header or of the catalog, whichever is later.
  public var version: PDFVersion?
  /// Whether the file is encrypted; nil when the reader cannot tell.
  public var isEncrypted: Bool?
  /// What the encryption permits with the given password; nil when the reader cannot tell.
  public var permissions: DocumentPermissions?
  /// Whether the file is linearized, so that it can be shown while it is loaded.
  public var isLinearized = false
  /// Whether /MarkInfo calls the document tagged; nil when the reader cannot tell.
  public var isTagged: Bool?
  /// The kind of form; nil when the reader cannot tell.
  public var form: DocumentForm?

  /// Properties with nothing known.
  public init() {}

  /// The texts, in the order in which they are written.
  package static var texts: [any WritableKeyPath<DocumentProperties, String?> & Sendable] {
    [\.author, \.subject, \.keywords, \.creator, \.producer]
  }
}

/// A version of PDF: 1.7.
public struct PDFVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number before the point.
  public var major: Int
  /// The number after the point.
  public var minor: Int

  /// A version from its numbers.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Whether the left version is the earlier one.
  public static func < (left: PDFVersion, right: PDFVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  /// `1.7`.
  public var description: String { "\(major).\(minor)" }
}

/// Kinds of forms.
public enum DocumentForm: String, Hashable, Sendable, CaseIterable {
  /// No form.
  case none
  /// A form of PDF fields.
  case acroForm = "AcroForm"
  /// A form in XML.
  case xfa = "XFA"
}

/// What an encrypted document permits (ISO 32000-2, table 22). Viewers are asked to respect it.
public struct DocumentPermissions: OptionSet, Hashable, Sendable {
  /// The permissions as bits, from 1 for ``print`` up to 128 for ``printHighQuality``.
  public let rawValue: UInt8

  /// Permissions from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// To print, possibly in low quality.
  public static let print = DocumentPermissions(rawValue: 1)
  /// To change pages in ways that no other permission covers.
  public static let change = DocumentPermissions(rawValue: 2)
  /// To copy text and graphics.
  public static let copy = DocumentPermissions(rawValue: 4)
  /// To add and change annotations.
  public static let annotate = DocumentPermissions(rawValue: 8)
  /// To fill in forms.
  public static let fillForms = DocumentPermissions(rawValue: 16)
  /// To extract text for readers with disabilities.
  public static let extract = DocumentPermissions(rawValue: 32)
  /// To insert, rotate and delete pages.
  public static let assemble = DocumentPermissions(rawValue: 64)
  /// To print in high quality.
  public static let printHighQuality = DocumentPermissions(rawValue: 128)
  /// Everything.
  public static let all = DocumentPermissions(rawValue: 255)
}
