// Answers what PageTree says of a PDF, one line for each that arrives on standard input.
//
//   ReaderFuzz tree LIMIT ENDS TAIL   count, boxes, rotation and labels, in the order in which the
//                                     product asks; more than LIMIT pages: the first ENDS, last TAIL
//   ReaderFuzz pixels                 whether pages look the same in the file and in its subsets
//
// A frame is two 32-bit little-endian numbers, length and seed, and the file.

import DocumentModel
import Glibc
import PDFEngine
import PDFStructure
import RectoGeometry

/// That many bytes of standard input; nil when there are fewer.
func readAll(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var done = 0
  while done < count {
    let got = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { read(0, $0 + done, count - done) } ?? 0
    }
    guard got > 0 else { return nil }
    done += got
  }
  return bytes
}

/// Writes a line to standard output; false when the reader is gone.
func writeLine(_ line: String) -> Bool {
  let bytes = Array((line + "\n").utf8)
  var done = 0
  while done < bytes.count {
    let wrote = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { write(1, $0 + done, bytes.count - done) } ?? 0
    }
    guard wrote > 0 else { return false }
    done += wrote
  }
  return true
}

/// A little-endian number.
func number(_ bytes: ArraySlice<UInt8>) -> Int {
  bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
}

/// Answers frames until there are no more; the exit code.
func run(_ arguments: [String]) -> Int32 {
  let answer: ([UInt8], Int) -> String
  switch (arguments.dropFirst().first, arguments.count) {
  case ("tree", 5):
    let numbers = arguments[2...].compactMap { Int($0) }
    guard numbers.count == 3 else { return 64 }
    let tree = TreeAnswer(limit: numbers[0], ends: numbers[1], tail: numbers[2])
    answer = { file, _ in tree.line(file) }
  case ("pixels", 2):
    guard let pixels = PixelAnswer() else { return 70 }
    answer = { file, seed in pixels.line(file, seed: seed) }
  default: return 64
  }
  while let head = readAll(8) {
    guard let file = readAll(number(head[..<4])) else { return 65 }
    guard writeLine(answer(file, number(head[4...]))) else { return 74 }
  }
  return 0
}

exit(run(CommandLine.arguments))
