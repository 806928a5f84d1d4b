import CCairo
import CPoppler
import Foundation
import TestSupport
import Testing

/// A worker draws without collecting the text of pages (`TextCollection`), and without maps to Unicode (`UnreadTextMaps`).
@Suite struct WorkerTextTests {
  @Test func `the worker's functions take the place of those that read text and maps`() throws {
    // The dynamic linker says which function it takes for each name, all of them at the start.
    let worker = try Program.run(
      TestPaths.worker,
      [],
      environment: ["LD_DEBUG": "bindings", "LD_BIND_NOW": "1"]
    )
    let bindings = worker.errors.split(separator: "\n").filter { $0.contains("/recto-worker [") }
    var names = [
      ("libpoppler-glib", "_ZN10ActualText7addCharEPK8GfxStateddddjiPKji"),
      ("libpoppler-glib", "_ZN8TextPage10updateFontEPK8GfxState"),
      ("libpoppler", "_ZN4Page9getAnnotsEP4XRef"),
      (
        "libpoppler",
        "_ZN7GfxFontC2EPKc3RefOSt8optionalINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE11GfxFontTypeS2_"
      ),
    ]
    if UnreadTextMapsTests.areNamesKnown {
      names.append(
        ("libpoppler", "_ZN7GfxFont17readToUnicodeCMapEP4DictiP17CharCodeToUnicode")
      )
    }
    for (library, name) in names {
      let isBound = bindings.contains {
        $0.contains("/\(library).so") && $0.contains("symbol `\(name)'")
      }
      #expect(isBound, "\(name)")
    }
  }

  @Test func `a page that was drawn has no text`() throws {
    // This program holds the same functions, because it is linked with all that the worker is.
    let url = TestPaths.fixture("book").absoluteString
    let document = try #require(poppler_document_new_from_file(url, nil, nil))
    defer { g_object_unref(UnsafeMutableRawPointer(document)) }
    let page = try #require(poppler_document_get_page(document, 0))
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 600, 600)
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    poppler_page_render(page, context)
    // A page keeps the text that its first drawing collected.
    let text = try #require(poppler_page_get_text(page))
    defer { g_free(text) }
    #expect(String(cString: text).isEmpty)
    let drawn = try Program.run(
      URL(filePath: "/usr/bin/env"),
      ["pdftotext", "-l", "1", TestPaths.fixture("book").path, "-"]
    )
    #expect(drawn.text.contains { $0.isLetter || $0.isNumber })
  }
}
