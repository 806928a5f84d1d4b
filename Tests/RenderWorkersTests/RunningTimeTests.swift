import Testing

@testable import RenderWorkers

/// Seconds that do not count, because the process did not run.
@Suite struct RunningTimeTests {
  @Test func `a gap counts if no thread looked, however many there are`() {
    var time = RunningTime()
    time.begin(at: 100)
    time.begin(at: 100.5)
    time.look(at: 101.4)
    time.look(at: 102.3)
    #expect(time.lost == 0)
    // Both wake at the same time.
    time.look(at: 162.3)
    time.look(at: 162.31)
    #expect(abs(time.lost - 60) < 1e-9)
    time.end()
    time.look(at: 163)
    time.look(at: 166)
    #expect(abs(time.lost - 63) < 1e-9)
  }

  @Test func `the time in which no thread waits for a worker counts`() {
    var time = RunningTime()
    time.begin(at: 100)
    time.end()
    time.begin(at: 500)
    time.look(at: 500.5)
    #expect(time.lost == 0)
    // A thread that was late with its look does not set the others back.
    time.look(at: 500.2)
    time.look(at: 501.6)
    #expect(abs(time.lost - 1.1) < 1e-9)
  }

  @Test func `a deadline has a reserve if it is set earlier`() {
    let deadline = Deadline(after: 100)
    var first = SecondTry.firstDeadline(deadline)
    #expect(first.left < 76 && first.left > 60)
    #expect(first.reserve == 25)
    first.useReserve()
    #expect(first.reserve == 0)
    #expect(abs(first.end - deadline.end) < 1e-9)
    #expect(SecondTry.firstDeadline(Deadline(after: 3)).reserve == 0)
  }
}
