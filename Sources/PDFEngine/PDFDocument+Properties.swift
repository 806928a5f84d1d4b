// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
public import DocumentModel

extension PDFDocument {
  /// Properties of the document that are not in ``info``.
  ///
  /// poppler-glib 22.12 does not tell whether a document is tagged or encrypted, and which kind of form it has. A
  /// missing permission shows that it is encrypted. With the owner's password everything is permitted, except that
  /// poppler takes printing in high quality from the user's permissions.
  public var properties: DocumentProperties {
    var properties = DocumentProperties()
    properties.author = Self.text(poppler_document_get_author(raw))
    properties.subject = Self.text(poppler_document_get_subject(raw))
    properties.keywords = Self.text(poppler_document_get_keywords(raw))
    properties.creator = Self.text(poppler_document_get_creator(raw))
    properties.producer = Self.text(poppler_document_get_producer(raw))
    properties.created = Self.date(poppler_document_get_creation_date_time(raw))
    properties.modified = Self.date(poppler_document_get_modification_date_time(raw))
    var (major, minor): (guint, guint) = (0, 0)
    poppler_document_get_pdf_version(raw, &major, &minor)
    if major > 0 { properties.version = PDFVersion(major: Int(major), minor: Int(minor)) }
    properties.isLinearized = poppler_document_is_linearized(raw) != 0
    let permissions = DocumentPermissions(
      rawValue: UInt8(truncatingIfNeeded: poppler_document_get_permissions(raw).rawValue)
    )
    properties.permissions = permissions
    if permissions != .all { properties.isEncrypted = true }
    return properties
  }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    takeString(text).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The date that poppler parsed from a text; frees it.
  private static func date(_ raw: OpaquePointer?) -> DocumentDate? {
    guard let raw else { return nil }
    defer { g_date_time_unref(raw) }
    return DocumentDate(
      year: Int(g_date_time_get_year(raw)),
      month: Int(g_date_time_get_month(raw)),
      day: Int(g_date_time_get_day_of_month(raw)),
      hour: Int(g_date_time_get_hour(raw)),
      minute: Int(g_date_time_get_minute(raw)),
      second: Int(g_date_time_get_second(raw)),
      offset: Int(g_date_time_get_utc_offset(raw) / 60_000_000)
    )
  }
}
