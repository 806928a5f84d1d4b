import PDFStructure
import Testing

/// Functions in the PostScript calculator language.
@Suite struct CalculatorFunctionTests {
  @Test(
    arguments: [
      ("{ }", [2, 3]), ("{}", [2, 3]), ("{ add }", [5]), ("{sub}", [-1]), ("{ mul }", [6]),
      ("{ 4 div }", [2, 0.75]), ("{ neg }", [2, -3]), ("{ exch }", [3, 2]), ("{ dup }", [2, 3, 3]),
      ("{ pop }", [2]), ("{ 2 copy }", [2, 3, 2, 3]), ("{ 0 copy }", [2, 3]),
      ("{ 0 index }", [2, 3, 3]), ("{ 1 index }", [2, 3, 2]),
      ("{ 5 6 3 1 roll }", [2, 6, 3, 5]), ("{ 5 6 3 -1 roll }", [2, 5, 6, 3]),
      ("{ 5 6 3 -4 roll }", [2, 5, 6, 3]), ("{ 5 6 3 0 roll }", [2, 3, 5, 6]),
      ("\n{5\t.5 -1. }\r\n", [2, 3, 5, 0.5, -1]),
    ]
  )
  func `arithmetic is done on a stack`(_ source: String, _ values: [Double]) {
    #expect(CalculatorFunction(Array(source.utf8))?.values(2, 3) == values)
  }

  @Test(
    arguments: [
      "{ pop pop pop }", "{ 2 index }", "{ 3 copy }", "{ -1 copy }", "{ 0.5 index }",
      "{ 0 1 roll }", "{ 3 1 roll }", "{ 1000000000000 copy }", "{ 0 div }", "{ 0 0 div }",
      "{ 1\(String(repeating: "0", count: 400)) }",
      "{ 2 copy 4 copy 8 copy 16 copy 32 copy 64 copy }",
      "{ sin }", "{ 1 } 0", "{ { pop } }", "{ pop", "pop }", "{", "", "pop", "{ 1e5 }", "{ nan }",
      "{ inf }", "{ % pop\n }", "{ \(String(repeating: "1 pop ", count: 99)) }",
      "{ \(String(repeating: " ", count: 5000)) }",
    ]
  )
  func `what overflows, is not finite or not arithmetic has no value`(_ source: String) {
    #expect(CalculatorFunction(Array(source.utf8))?.values(2, 3) == nil)
  }
}
