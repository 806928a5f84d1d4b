/// Small files that take forever to open or to measure. None has a cross-reference
/// table, so that every reader has to look for the objects itself. And some that are merely odd.
enum HostileFiles {
  /// Its form has 2⁴⁰ fields, which some readers visit when they open the file, others with the
  /// first page.
  static let endlessFields = pdf(
    ["<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] /NeedAppearances true >> >>"]
      + page
      + doublings(from: 10) { number, kids in
        "<< \(kids) \(number == 10 ? "" : "/Parent \(number - 1) 0 R") >>"
      },
  )

  /// Opening it is quick; finding its first page visits 2⁴⁰ nodes of the page tree.
  static let hangsAtMeasuring = pdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [10 0 R 10 0 R] /Count 3 >>",
      "null",
    ]
      + doublings(from: 10) { _, kids in
        "<< /Type /Pages /Parent 2 0 R \(kids.isEmpty ? "/Kids []" : kids) /Count 1 >>"
      }
  )

  /// Two empty pages and one between them that overflows the stack of a worker: a function with millions of nested
  /// braces.
  static let crashes = pages(
    [String](repeating: "[0 0 300 400]", count: 3),
    second: "/Contents 6 0 R /Resources << /Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray"
      + " /Coords [0 0 300 0] /Function 7 0 R >> >> >>",
    more: [
      "<< /Length 5 >>\nstream\n/S sh\nendstream",
      "<< /FunctionType 4 /Domain [0 1] /Range [0 1] /Length 6000000 >>\nstream\n"
        + String(repeating: "{", count: 6_000_000) + "\nendstream",
    ]
  )

  /// An empty page in a document with this title, as PDF writes it.
  static func titled(_ title: String) -> String {
    pdf(
      ["<< /Type /Catalog /Pages 2 0 R >>"] + page + ["<< /Title \(title) >>"],
      trailer: "/Info 4 0 R"
    )
  }

  /// One empty page of this size in points.
  static func page(width: Int, height: Int) -> String { pages(["[0 0 \(width) \(height)]"]) }

  /// Empty pages with these media boxes.
  static func pages(_ boxes: [String], second: String = "", more: [String] = []) -> String {
    let kids = boxes.indices.map { "\($0 + 3) 0 R" }.joined(separator: " ")
    return pdf(
      [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [\(kids)] /Count \(boxes.count) >>",
      ]
        + boxes.enumerated().map {
          "<< /Type /Page /Parent 2 0 R /MediaBox \($1) \($0 == 1 ? second : "") >>"
        } + more
    )
  }

  private static let page = [
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] >>",
  ]

  /// Objects of which each names the next one twice; the numbers up to the first are left empty.
  private static func doublings(from first: Int, _ body: (Int, String) -> String) -> [String] {
    let gap = Array(repeating: "null", count: first - 4)
    return gap
      + (first..<first + 40).map { number in
        body(number, number < first + 39 ? "/Kids [\(number + 1) 0 R \(number + 1) 0 R]" : "")
      }
  }

  private static func pdf(_ objects: [String], trailer: String = "") -> String {
    let bodies = objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }
    return "%PDF-1.4\n" + bodies.joined()
      + "trailer << /Root 1 0 R /Size \(objects.count + 1) \(trailer) >>\nstartxref\n0\n%%EOF\n"
  }
}
