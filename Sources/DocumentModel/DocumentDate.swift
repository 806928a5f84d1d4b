/// A date and time of a PDF.
public struct DocumentDate: Hashable, Sendable, CustomStringConvertible {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 59.
  public let second: Int
  /// The offset from UTC in minutes, positive east of Greenwich; 0 where the PDF has none.
  public let offset: Int

  /// A date from its parts; nil when there is no such date.
  ///
  /// - Parameters:
  ///   - year: The year, 1 to 9999.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, from 1.
  ///   - hour: The hour, 0 to 23.
  ///   - minute: The minute, 0 to 59.
  ///   - second: The second, 0 to 59.
  ///   - offset: The offset from UTC in minutes, less than a day.
  public init?(
    year: Int,
    month: Int,
    day: Int,
    hour: Int = 0,
    minute: Int = 0,
    second: Int = 0,
    offset: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<60).contains(second), (-1439...1439).contains(offset)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.offset = offset
  }

  /// A date from the text of a PDF: `D:20170108101112+01'00'`, where everything after the year is
  /// optional (ISO 32000-2, 7.9.4). Nil for an invalid date.
  public init?(pdf text: String) {
    var rest = Array(text.utf8.filter { $0 < 0x80 })[...]
    if rest.starts(with: Array("D:".utf8)) { rest = rest.dropFirst(2) }
    /// Reads a number of at most that many digits; nil if there is none.
    func number(_ digits: Int) -> Int? {
      let found = rest.prefix(digits).prefix { (0x30...0x39).contains($0) }
      guard !found.isEmpty else { return nil }
      rest = rest.dropFirst(found.count)
      return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard let year = number(4) else { return nil }
    let parts = [number(2), number(2), number(2), number(2), number(2)]
    let sign = rest.popFirst()
    var offset = 0
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      let hours = number(2) ?? 0
      _ = rest.popFirst()
      offset = hours * 60 + (number(2) ?? 0)
      if sign == UInt8(ascii: "-") { offset = -offset }
    }
    self.init(
      year: year,
      month: parts[0] ?? 1,
      day: parts[1] ?? 1,
      hour: parts[2] ?? 0,
      minute: parts[3] ?? 0,
      second: parts[4] ?? 0,
      offset: offset
    )
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date in ISO 8601: `2017-01-08T10:11:12+01:00`.
  public var description: String {
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = "\(digits(year, 4))-\(digits(month))-\(digits(day))"
    let time = "\(digits(hour)):\(digits(minute)):\(digits(second))"
    guard offset != 0 else { return "\(date)T\(time)Z" }
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    return "\(date)T\(time)\(offset < 0 ? "-" : "+")\(digits(hours)):\(digits(minutes))"
  }
}
