import DocumentModel
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// From a reference to the number of its page.
@Suite struct TargetPageTests {
  private let few: ReaderLimits = {
    var limits = ReaderLimits()
    limits.smallDocument = 4
    return limits
  }()

  /// A random tree, and the references of its pages in order.
  private func tree(seed: Int) -> (PDFBuilder, pages: [Int]) {
    var random = SeededGenerator(seed)
    var builder = PDFBuilder([1: "<< /Type /Catalog /Pages 2 0 R >>"])
    var next = 3
    var pages: [Int] = []
    func node(_ number: Int, parent: Int?, level: Int) -> Int {
      var count = 0
      var kids: [Int] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let kid = next
        next += 1
        kids.append(kid)
        if level < 4, Bool.random(using: &random) {
          count += node(kid, parent: number, level: level + 1)
        } else {
          builder[kid] = "<< /Type /Page /Parent \(number) 0 R /MediaBox [0 0 9 9] >>"
          pages.append(kid)
          count += 1
        }
      }
      let list = kids.map { "\($0) 0 R" }.joined(separator: " ")
      let above = parent.map { "/Parent \($0) 0 R" } ?? ""
      builder[number] = "<< /Type /Pages \(above) /Count \(count) /Kids [\(list)] >>"
      return count
    }
    _ = node(2, parent: nil, level: 0)
    return (builder, pages)
  }

  @Test("Each page of any tree is found from its reference, without a walk", arguments: 0..<40)
  func trees(seed: Int) throws {
    let (builder, pages) = tree(seed: seed)
    let reader = try PageTreeReader(bytes: MemoryBytes(builder.table()), limits: few)
    for (index, number) in pages.enumerated().shuffled() {
      let reference = Reference(number: Int32(number), generation: 0)
      #expect(try reader.index(of: reference) == PageIndex(index))
    }
    if pages.count > few.smallDocument { #expect(!reader.isWalkedCompletely) }
  }

  @Test("Lies of /Parent and /Count do not change the result", arguments: 0..<60)
  func lies(seed: Int) throws {
    var (builder, _) = tree(seed: seed)
    var random = SeededGenerator(seed + 1000)
    for _ in 0..<3 {
      let number = Int.random(in: 2..<builder.size, using: &random)
      let other = Int.random(in: 2..<builder.size, using: &random)
      if Bool.random(using: &random) {
        builder[number] = builder[number]
          .replacing(/\/Parent \d+ 0 R/, with: "/Parent \(other) 0 R")
      } else if number > 2 {
        builder[number] = builder[number].replacing(/\/Count \d+/, with: "/Count \(other)")
      }
    }
    let bytes = MemoryBytes(builder.table())
    guard let walked = try? PageTreeReader(bytes: bytes), (try? walked.walkCompletely()) != nil
    else { return }
    let reader = try PageTreeReader(bytes: bytes, limits: few)
    for number in 2..<builder.size {
      let reference = Reference(number: Int32(number), generation: 0)
      guard let found = try reader.index(of: reference) else { continue }
      #expect(try reader.page(at: found)?.objectNumber == number)
    }
  }

  @Test(
    "The last of many pages is found with the work of a few, in a flat tree and in a nested one",
    arguments: [false, true]
  )
  func manyPages(isNested: Bool) throws {
    let count = 15_000
    var builder = PDFBuilder.flat(count)
    if isNested {
      let group = 100
      var kids: [String] = []
      for first in stride(from: 0, to: count, by: group) {
        let number = 3 + count + first / group
        kids.append("\(number) 0 R")
        let list = (first..<first + group).map { "\($0 + 3) 0 R" }.joined(separator: " ")
        builder[number] = "<< /Type /Pages /Parent 2 0 R /Count \(group) /Kids [\(list)] >>"
        for page in first..<first + group {
          builder[page + 3] = "<< /Type /Page /Parent \(number) 0 R >>"
        }
      }
      builder[2] = "<< /Type /Pages /Count \(count) /Kids [\(kids.joined(separator: " "))] >>"
    }
    let file = builder.table()
    let reader = try PageTreeReader(file)
    let last = Reference(number: Int32(count + 2), generation: 0)
    #expect(try reader.index(of: last) == PageIndex(count - 1))
    #expect(!reader.isWalkedCompletely)
    reader.store.meter.reset()
    for page in stride(from: 0, to: count, by: 7) {
      let reference = Reference(number: Int32(page + 3), generation: 0)
      #expect(try reader.index(of: reference) == PageIndex(page))
    }
    // Each costs no more than a few objects of its own.
    #expect(reader.store.meter.spent < count / 7 * 8192)
  }

  @Test("A page that was removed is missing, and takes no walk")
  func removedPage() throws {
    var builder = PDFBuilder.flat(100) { $0 == 9 ? "/Annots [200 0 R]" : "" }
    builder[200] = "<< /Subtype /Link /Rect [0 0 9 9] /Dest [150 0 R /Fit] >>"
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.links(of: 9)?.map(\.target) == [.missing(name: nil)])
    #expect(!reader.isWalkedCompletely)
    // One that is still there takes a walk, once.
    builder[150] = "<< /Type /Page /Parent 2 0 R >>"
    let other = try PageTreeReader(builder.table())
    #expect(try other.links(of: 9)?.map(\.target) == [.missing(name: nil)])
    #expect(other.isWalkedCompletely)
  }

  @Test("References in any order are found in a long list", arguments: 0..<20)
  func positions(seed: Int) {
    var random = SeededGenerator(seed)
    var list = (0..<200).map { _ in UInt64.random(in: 0..<150, using: &random) }
    if seed.isMultiple(of: 2) { list.sort() }
    var positions = ReferencePositions()
    for _ in 0..<3 {
      for value in 0..<UInt64(150) {
        #expect(positions.position(of: value, in: list) == list.firstIndex(of: value))
      }
    }
  }
}
