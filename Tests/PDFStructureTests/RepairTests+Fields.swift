import DocumentModel
import RectoGeometry
import Testing

@testable import PDFStructure

/// Repairs of a form's fields.
extension RepairTests {
  private static let levels = 16

  /// Two fields on each level, which are both the kids of both fields above.
  private static func fieldsWithManyWays(from first: Int) -> [Int: String] {
    var objects: [Int: String] = [:]
    for level in 0..<levels {
      let below = first + 2 * (level + 1)
      for place in 0..<2 {
        objects[first + 2 * level + place] =
          level + 1 < levels ? "<< /Kids [\(below) 0 R \(below + 1) 0 R] >>" : "<< /FT /Tx >>"
      }
    }
    return objects
  }

  @Test(arguments: [
    ("/MK << /BC [0] >>", "", true),
    ("/MK << /BC [0] >> /AP << /D 6 0 R >>", "", false),
    ("/MK << /BC [0] >> /AP << /N 6 0 R >>", "/NeedAppearances true", true),
    ("/MK << /BC [0] >> /AP << /N 6 0 R >>", "", false),
    ("/MK << /BC [0] >> /BS << /W 0 >>", "", false),
    ("/MK << /BC [0] >> /Border [0 0 0]", "", false),
    ("/MK << /BC [] >>", "", false),
    ("/MK << /BG [0.5] >>", "", false),
    ("", "", false),
  ])
  func `only a field whose appearance is generated gets a border`(
    entries: String,
    form: String,
    isRepaired: Bool
  ) throws {
    let file = Self.field(entries, form: form).table()
    let reader = try PageTreeReader(file)
    let pieces = try reader.subset(of: [0])
    #expect((total(reader)[.fieldBorder] == 1) == isRepaired)
    if isRepaired { #expect(try isBlank(pieces.bytes(over: file)) == false) }
  }

  @Test func `a form with too many ways to a field is left with one to each`() throws {
    let document = Self.document(
      Self.fonts,
      catalog: "/AcroForm << /Fields [5 0 R 6 0 R] >>",
      objects: Self.fieldsWithManyWays(from: 5)
    )
    let file = document.table()
    let reader = try PageTreeReader(file)
    let subset = try PageTreeReader(try reader.subset(of: [0]).bytes(over: file))
    #expect(reader.repairs[0]?[.field] == Self.levels - 1)
    _ = try subset.subset(of: [0])
    #expect(subset.repairs.isEmpty)
  }

  @Test(arguments: [false, true])
  func `only fields that a page needs are looked at`(isNeeded: Bool) throws {
    var objects = Self.fieldsWithManyWays(from: 100)
    // The page has a widget below one of the first fields, or one that is a field by itself.
    let parent = isNeeded ? "/Parent 100 0 R" : ""
    objects[5] = "<< /Subtype /Widget /FT /Tx /T (a) /Rect [20 20 120 120] /F 4 \(parent) >>"
    let others = (10..<80).map { number in
      objects[number] = "<< /FT /Tx /T (\(number)) >>"
      return "\(number) 0 R"
    }
    let document = Self.document(
      "/Annots [5 0 R] \(Self.fonts)",
      catalog: "/AcroForm << /Fields 6 0 R >>",
      objects: objects.merging([6: "[100 0 R 101 0 R 5 0 R \(others.joined(separator: " "))]"]) {
        $1
      }
    )
    for file in [document.table(), document.stream()] {
      let reader = try PageTreeReader(file, limits: Self.limits(0))
      let subset = try PageTreeReader(try reader.subset(of: [0]).bytes(over: file))
      #expect((reader.repairs[0]?[.field] ?? 0 > 0) == isNeeded)
      _ = try subset.subset(of: [0])
      #expect(subset.repairs.isEmpty)
    }
  }
}
