/// A function in the PostScript calculator language (ISO 32000-1, 7.10.5) that only does arithmetic: without
/// conditions, comparisons, and functions such as `sin`.
package struct CalculatorFunction {
  private enum Step {
    case number(Double)
    case add, sub, mul, div, neg
    case pop, dup, exch, copy, index, roll

    init?(_ word: String) {
      switch word {
      case "add": self = .add
      case "sub": self = .sub
      case "mul": self = .mul
      case "div": self = .div
      case "neg": self = .neg
      case "pop": self = .pop
      case "dup": self = .dup
      case "exch": self = .exch
      case "copy": self = .copy
      case "index": self = .index
      case "roll": self = .roll
      default:
        guard word.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let value = Double(word)
        else { return nil }
        self = .number(value)
      }
    }
  }

  private let steps: [Step]
  /// The number of its operations.
  var count: Int { steps.count }

  private static let mostSteps = 128
  /// The most bytes of a function.
  static let mostBytes = 1 << 12
  /// The most numbers on the stack, as in poppler.
  private static let mostNumbers = 100

  /// Nil for a function with anything but arithmetic, or one that is too long.
  ///
  /// - Complexity: O(1): of 4 KiB at most.
  package init?(_ source: [UInt8]) {
    guard source.count <= Self.mostBytes else { return nil }
    let text = Array(source.split { ByteClass.isWhite(Int($0)) }.joined(separator: [0x20]))
    guard text.first == 0x7B, text.last == 0x7D, text.count > 1 else { return nil }
    var steps: [Step] = []
    for word in text.dropFirst().dropLast().split(separator: 0x20) {
      guard steps.count < Self.mostSteps, let step = Step(String(decoding: word, as: UTF8.self))
      else { return nil }
      steps.append(step)
    }
    self.steps = steps
  }

  /// The values of two arguments; nil if the stack overflows or lacks a number, or a value is not finite.
  package func values(_ x: Double, _ y: Double) -> [Double]? {
    var stack = [x, y]
    for step in steps {
      switch step {
      case .number(let value): stack.append(value)
      case .pop: guard stack.popLast() != nil else { return nil }
      case .neg:
        guard let last = stack.popLast() else { return nil }
        stack.append(-last)
      case .dup:
        guard let last = stack.last else { return nil }
        stack.append(last)
      case .add, .sub, .mul, .div, .exch:
        guard let last = stack.popLast(), let first = stack.popLast() else { return nil }
        switch step {
        case .add: stack.append(first + last)
        case .sub: stack.append(first - last)
        case .mul: stack.append(first * last)
        case .div: stack.append(first / last)
        default: stack += [last, first]
        }
      case .copy:
        guard let count = Self.popCount(&stack) else { return nil }
        stack += stack.suffix(count)
      case .index:
        guard let place = Self.popCount(&stack), place < stack.count else { return nil }
        stack.append(stack[stack.count - 1 - place])
      case .roll:
        guard let shift = Self.popInteger(&stack), let count = Self.popCount(&stack), count > 0
        else { return nil }
        let last = Array(stack.suffix(count))
        let cut = ((count - shift % count) % count + count) % count
        stack.removeLast(count)
        stack += last[cut...] + last[..<cut]
      }
      guard stack.count <= Self.mostNumbers else { return nil }
    }
    return stack.allSatisfy(\.isFinite) ? stack : nil
  }

  /// Removes the last number, which must be an integer.
  private static func popInteger(_ stack: inout [Double]) -> Int? {
    stack.popLast().flatMap { abs($0) <= Double(mostNumbers) ? Int(exactly: $0) : nil }
  }

  /// Removes the last number, which must be a count of those below it.
  private static func popCount(_ stack: inout [Double]) -> Int? {
    guard let count = popInteger(&stack), count >= 0, count <= stack.count else { return nil }
    return count
  }
}
