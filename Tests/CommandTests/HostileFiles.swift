/// Tiny files that never let go of whoever opens or measures them. None has a cross-reference
/// table, so that every reader has to look for the objects itself.
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

  private static func pdf(_ objects: [String]) -> String {
    let bodies = objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }
    return "%PDF-1.4\n" + bodies.joined()
      + "trailer << /Root 1 0 R /Size \(objects.count + 1) >>\nstartxref\n0\n%%EOF\n"
  }
}
