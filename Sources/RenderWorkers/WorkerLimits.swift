/// What a worker may use before it is killed.
public struct WorkerLimits: Hashable, Sendable {
  /// Seconds to open a document.
  public var open: Double
  /// Seconds to count or measure: from one batch of pages to the next.
  public var measure: Double
  /// Seconds to draw one request's page.
  public var draw: Double
  /// Bytes of resident memory.
  public var memory: Int

  /// Limits from their parts; the defaults are 15 s, 15 s, 30 s and 1.5 GB.
  public init(
    open: Double = 15,
    measure: Double = 15,
    draw: Double = 30,
    memory: Int = 1_500_000_000
  ) {
    self.open = open
    self.measure = measure
    self.draw = draw
    self.memory = memory
  }
}
