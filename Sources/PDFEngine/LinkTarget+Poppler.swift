// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel
internal import Glibc
internal import RectoGeometry

/// The targets of links from poppler-glib, which supports only names that are strings, and does not tell the kinds of
/// unknown actions.
extension PDFDocument {
  /// The target of an action; nil if there is none.
  func target(_ action: UnsafeMutablePointer<PopplerAction>?) -> LinkTarget? {
    guard let action else { return nil }
    switch action.pointee.type {
    case POPPLER_ACTION_NONE: return nil
    case POPPLER_ACTION_GOTO_DEST: return target(destination: action.pointee.goto_dest.dest)
    case POPPLER_ACTION_GOTO_REMOTE:
      guard let file = Self.text(action.pointee.goto_remote.file_name) else {
        return .other("GoToR")
      }
      let place = action.pointee.goto_remote.dest?.pointee
      let page = place.flatMap { $0.page_num > 0 ? Int($0.page_num) : nil }
      return .file(file, page: page, name: Self.name(place?.named_dest))
    case POPPLER_ACTION_LAUNCH:
      return Self.text(action.pointee.launch.file_name).map { .launch($0) } ?? .other("Launch")
    case POPPLER_ACTION_URI:
      return Self.text(action.pointee.uri.uri).map { .uri($0) } ?? .other("URI")
    case POPPLER_ACTION_NAMED:
      return Self.text(action.pointee.named.named_dest).map { .named($0) } ?? .other("Named")
    case POPPLER_ACTION_MOVIE: return .other("Movie")
    case POPPLER_ACTION_RENDITION: return .other("Rendition")
    case POPPLER_ACTION_OCG_STATE: return .other("SetOCGState")
    case POPPLER_ACTION_JAVASCRIPT: return .other("JavaScript")
    case POPPLER_ACTION_RESET_FORM: return .other("ResetForm")
    default: return .other("")
    }
  }

  private func target(destination: UnsafeMutablePointer<PopplerDest>?) -> LinkTarget {
    guard let destination else { return .missing(name: nil) }
    guard destination.pointee.type == POPPLER_DEST_NAMED, let raw = destination.pointee.named_dest
    else { return place(destination).map { .destination($0) } ?? .missing(name: nil) }
    let name = Self.name(raw)
    guard let found = poppler_document_find_dest(self.raw, raw) else {
      return .missing(name: name)
    }
    defer { poppler_dest_free(found) }
    guard var place = place(found) else { return .missing(name: name) }
    place.name = name
    return .destination(place)
  }

  /// The destination with a name; nil when the document does not have it.
  func destination(named name: String) -> LinkDestination? {
    for bytes in NameBytes.encodings(of: name) {
      guard let escaped = poppler_named_dest_from_bytestring(bytes, gsize(bytes.count)) else {
        continue
      }
      defer { g_free(escaped) }
      guard let found = poppler_document_find_dest(raw, escaped) else { continue }
      defer { poppler_dest_free(found) }
      guard var place = place(found) else { continue }
      place.name = name
      return place
    }
    return nil
  }

  /// A destination in this document; nil for a page that it does not have.
  private func place(_ destination: UnsafeMutablePointer<PopplerDest>) -> LinkDestination? {
    let found = destination.pointee
    guard let number = PageIndex(number: Int(found.page_num)),
      let info = try? page(at: number).info()
    else { return nil }
    // poppler-glib 22.12 has subtracted the left edge of the crop box from /Left and /Bottom, and the bottom edge from
    // /Right and /Top.
    let (x, y) = (info.cropBox.minX, info.cropBox.minY)
    let left = found.change_left != 0 ? found.left + x : nil
    let top = found.change_top != 0 ? found.top + y : nil
    let fit: UserSpaceFit
    switch found.type {
    case POPPLER_DEST_XYZ:
      fit = .point(left: left, top: top, zoom: found.change_zoom != 0 ? found.zoom : nil)
    case POPPLER_DEST_FIT: fit = .page
    case POPPLER_DEST_FITH: fit = .width(top: top)
    case POPPLER_DEST_FITV: fit = .height(left: left)
    case POPPLER_DEST_FITR:
      fit = .area(
        left: found.left + x,
        bottom: found.bottom + x,
        right: found.right + y,
        top: found.top + y
      )
    case POPPLER_DEST_FITB: fit = .content
    case POPPLER_DEST_FITBH: fit = .contentWidth(top: top)
    case POPPLER_DEST_FITBV: fit = .contentHeight(left: left)
    default: return nil
    }
    return LinkDestination(page: number, fit: fit.shown(on: info))
  }

  /// The text of a string without a known encoding; nil if it is too long.
  private static func text(_ raw: UnsafePointer<CChar>?) -> String? {
    guard let raw else { return nil }
    let bytes = UnsafeBufferPointer(start: raw, count: strlen(raw)).map { UInt8(bitPattern: $0) }
    return bytes.count <= TextLimit.target ? NameBytes.text(bytes) : nil
  }

  /// The text of a name, in which poppler-glib escapes zeros and backslashes.
  private static func name(_ escaped: UnsafePointer<CChar>?) -> String? {
    guard let escaped else { return nil }
    var count: gsize = 0
    guard let raw = poppler_named_dest_to_bytestring(escaped, &count) else { return nil }
    defer { g_free(raw) }
    let bytes = Array(UnsafeBufferPointer(start: raw, count: Int(count)))
    return bytes.count <= TextLimit.target ? NameBytes.text(bytes) : nil
  }
}
