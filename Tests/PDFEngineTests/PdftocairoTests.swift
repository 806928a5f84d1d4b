import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import RenderWorkers
import TestSupport
import Testing

/// Recto against poppler's own tools. One test at a time: poppler's messages are collected for the
/// whole process, and the tools are started two at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PopplerTests {
  static let hasCorpus: ConditionTrait = .enabled(
    if: Corpus.named != nil,
    Comment(rawValue: Corpus.isNotNamed)
  )

  /// Files whose first page is not what `pdftocairo` draws, and why.
  static let disagreeing: [String: String] = [
    "PdfPig__DefaultColourSpaces.230802.pdf":
      "pdftocairo draws red and blue in /DefaultRGB, a CalRGB space, black; pdftoppm does not"
  ]

  /// Files whose first page is an error although `pdftocairo` writes a picture, and why.
  static let refused: [String: String] = [
    "content_huge_font.pdf": "a font of 10⁹ points: freetype fails, cairo draws nothing more",
    "type3_self_recursion.pdf":
      "a glyph's matrix that cannot be inverted: cairo draws nothing more",
    "crop_outside.pdf": "the page has no area",
    "pdfium__cropped_no_overlap.pdf": "the page has no area",
  ]

  @Test(hasCorpus)
  func `first pages of the corpus are what pdftocairo draws`() async throws {
    let results = try await twoAtATime(Corpus.files) { try await Self.compare($0) }
    var compared = 0
    var lines: [String] = []
    for result in results.compactMap(\.self).sorted(by: { $0.name < $1.name }) {
      guard let pictures = result.pictures else {
        lines.append("\(result.name): \(result.note)")
        #expect(
          result.exceedsLimit || Self.refused[result.name] != nil,
          "\(result.name): \(result.note)"
        )
        continue
      }
      let direct = try #require(pictures.direct, "\(result.name): sizes differ: \(result.note)")
      let recorded = try #require(pictures.recorded, "\(result.name): sizes differ: \(result.note)")
      compared += 1
      if !direct.isNone || !recorded.isNone {
        lines.append("\(result.name): direct \(direct); recorded \(recorded)")
      }
      let isExcused = Self.disagreeing[result.name] != nil
      #expect(direct.isNone || isExcused, "\(result.name): \(direct)")
      #expect(
        recorded.isNone || isExcused,
        "\(result.name), recorded: \(recorded)"
      )
    }
    print("\(compared) first pages compared with pdftocairo\n" + lines.joined(separator: "\n"))
    #expect(compared >= 60)
  }

  struct Comparison: Sendable {
    var name: String
    /// Nil when the page cannot be drawn.
    var pictures: (direct: Difference?, recorded: Difference?)?
    var note = ""
    /// Whether it was given up because of a limit that pdftocairo does not have.
    var exceedsLimit = false
  }

  /// Nil for a document that poppler does not open, or whose first page it does not draw.
  private static func compare(_ file: URL) async throws -> Comparison? {
    let name = file.lastPathComponent
    guard try await Peer.pages(of: file)?.count ?? 0 > 0 else { return nil }
    return try await withPool(file, text: .poppler) { pool in
      guard case .success(let info) = try await pool.measure(0..<1)[0] else { return nil }
      // 96 dots an inch; fewer for pages of several meters.
      var dots = 96.0
      while info.size.width * info.size.height * dots * dots / 72 / 72 > 10_000_000 { dots /= 2 }
      // pdftocairo knows no /UserUnit.
      let dotsPerInch = dots * info.userUnit
      guard let peer = try await Peer.picture(of: file, dotsPerInch: dotsPerInch) else {
        return nil
      }
      let one: DrawnPage
      let other: DrawnPage
      do throws(DocumentError) {
        let raster = try PageRaster(page: 0, info: info, scale: dots / 72, rotation: .none)
        one = try await pool.draw(PageDrawing(raster, .parts([raster.whole])), subset: nil)
        other = try await pool.draw(
          PageDrawing(raster, .parts([raster.whole]), purpose: .tiles),
          subset: nil
        )
      } catch {
        return Comparison(
          name: name,
          note: "\(error)",
          exceedsLimit: [.timeLimit, .memoryLimit].contains(error.code)
        )
      }
      let direct = try #require(Picture(png: one.pictures[0]))
      let recorded = try #require(Picture(png: other.pictures[0]))
      return Comparison(
        name: name,
        pictures: (Difference(direct, peer), Difference(recorded, peer)),
        note: "\(direct.size), pdftocairo's \(peer.size)"
      )
    }
  }

  @Test func `every page of the fixtures is what pdftocairo draws`() async throws {
    var worst = 0
    var compared = 0
    for fixture in try Fixture.all where fixture.error == nil || fixture.password != nil {
      // pdftocairo has no white under pages on which cairo gives up.
      if fixture.name == "incomplete.pdf" { continue }
      let indices = fixture.drawable
      let peers = try await twoAtATime(indices) { index in
        let picture = try await Peer.picture(
          of: fixture.url,
          page: index,
          dotsPerInch: 96,
          password: fixture.password
        )
        return (index, picture)
      }
      try fixture.withDocument(text: .poppler) { document in
        for (index, peer) in peers {
          let peer = try #require(peer, "pdftocairo gave no picture of \(fixture.name)")
          let page = try document.page(at: index)
          let raster = try PageRaster(
            page: index,
            info: page.info(),
            scale: 96.0 / 72,
            rotation: .none
          )
          let list = try DisplayList(page, raster: raster)
          for picture in [
            Picture(try page.bitmap(of: raster.whole, raster: raster)),
            Picture(try list.bitmap(of: raster.whole)),
          ] {
            let difference = try #require(Difference(picture, peer), "\(fixture.name): sizes")
            #expect(difference.isNone, "\(fixture.name), page \(index.number): \(difference)")
            worst = max(worst, difference.worst)
          }
          compared += 1
        }
      }
    }
    print("\(compared) pages of fixtures compared with pdftocairo, the worst off by \(worst)")
    #expect(compared > 100)
  }
}

extension PageRaster {
  /// All of the page.
  var whole: PixelRect { PixelRect(x: 0, y: 0, width: size.width, height: size.height) }
}
