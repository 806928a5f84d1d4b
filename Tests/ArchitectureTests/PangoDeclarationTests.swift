import Foundation
import TestSupport
import Testing

/// What `CPango` declares of Pango, compared with Pango's own headers.
@Suite struct PangoDeclarationTests {
  @Test func `what is declared of Pango is what its headers declare`() throws {
    let pkgConfig = try Program.runInPath("pkg-config", ["--cflags", "pangocairo"])
    try #require(pkgConfig.code == 0)
    let flags = String(decoding: pkgConfig.output, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    let folder = try TemporaryFolder()
    let source = URL(filePath: folder.path("both.c"))
    let header = TestPaths.root.appending(path: "Sources/CDrawing/recto_pango.h").path
    try Data(
      """
      #include <pango/pangocairo.h>
      #include "\(header)"
      _Static_assert(RECTO_PANGO_SCALE == PANGO_SCALE, "scale");
      _Static_assert(RECTO_PANGO_ALIGN_CENTER == PANGO_ALIGN_CENTER, "alignment");
      _Static_assert(RECTO_PANGO_ELLIPSIZE_MIDDLE == PANGO_ELLIPSIZE_MIDDLE, "ellipsis");
      _Static_assert(sizeof(PangoAlignment) == sizeof(unsigned), "size");
      _Static_assert(sizeof(PangoEllipsizeMode) == sizeof(unsigned), "size");
      #define PangoAlignment unsigned
      #define PangoEllipsizeMode unsigned
      #define CHECK(result, name, parameters) result name parameters;
      void check(void) {
      RECTO_PANGO_FUNCTIONS(CHECK)
      }

      """.utf8
    ).write(to: source)
    let compiled = try Program.runInPath(
      "clang",
      flags.map(String.init) + ["-fsyntax-only", source.path]
    )
    #expect(compiled.code == 0, "\(compiled.errors)")
  }
}
