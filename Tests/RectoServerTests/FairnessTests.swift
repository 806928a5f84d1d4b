import Foundation
import RectoCommand
import Synchronization
import Testing

@testable import RectoServer

/// Clients share the server: one that asks for much does not keep others waiting.
@Suite(.timeLimit(.minutes(10))) struct FairnessTests {
  private static func client(_ number: Int) -> Client { Client(NetworkAddress("10.0.0.\(number)")) }

  @Test func `clients take turns, each in its order, within what one and all may have`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let each = Int.random(in: 1...12, using: &generator)
      let spare = Int.random(in: 1...12, using: &generator)
      let limit = Int.random(in: 1...30, using: &generator)
      var queue = FairQueue(each: each, spare: spare, limit: limit)
      // What waits and what is at work, as lists.
      var waiting: [(ticket: Int, client: Int, units: Int)] = []
      var atWork = waiting
      var granted: [Int] = []
      for ticket in 0..<200 {
        let client = Int.random(in: 0..<4, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0, 1:
          let units = Int.random(in: 1...min(each, spare), using: &generator)
          waiting.append((ticket, client, units))
          if let dropped = queue.enter(ticket, of: Self.client(client), units: units) {
            let counts = Dictionary(grouping: waiting, by: \.client).mapValues(\.count)
            let index = waiting.firstIndex { $0.ticket == dropped } ?? 0
            #expect(waiting.count == limit + 1)
            #expect(counts[waiting[index].client] == counts.values.max())
            #expect(!waiting[(index + 1)...].contains { $0.client == waiting[index].client })
            waiting.remove(at: index)
          }
        case 2:
          if let done = atWork.indices.randomElement(using: &generator) {
            let request = atWork.remove(at: done)
            queue.leave(Self.client(request.client), units: request.units)
          }
        default:
          if let index = waiting.indices.randomElement(using: &generator) {
            let request = waiting.remove(at: index)
            let results = (0..<2).map { _ in
              queue.takeBack(request.ticket, of: Self.client(request.client))
            }
            #expect(results == [true, false])
          }
        }
        while let next = queue.next() {
          // In the order of the client's asking.
          guard let index = waiting.firstIndex(where: { $0.ticket == next }) else {
            Issue.record("\(next) does not wait")
            return
          }
          let request = waiting.remove(at: index)
          #expect(!waiting[..<index].contains { $0.client == request.client })
          let own = atWork.filter { $0.client == request.client }.reduce(0) { $0 + $1.units }
          let all = atWork.reduce(0) { $0 + $1.units }
          #expect(own + request.units <= each)
          #expect(all + request.units <= (own > 0 ? each : each + spare))
          atWork.append(request)
          granted.append(request.client)
        }
        #expect(queue.count == waiting.count && queue.count <= limit)
        // Something is always at work, and one greedy client leaves room for another one.
        #expect(waiting.isEmpty || !atWork.isEmpty)
        if Set(atWork.map(\.client)).count == 1, let only = atWork.first?.client {
          #expect(waiting.allSatisfy { $0.client == only })
        }
      }
    }
  }

  @Test func `a client that waits is next after each other client had one turn`() {
    var queue = FairQueue(each: 2, spare: 1, limit: 1000)
    for ticket in 0..<100 { _ = queue.enter(ticket, of: Self.client(ticket % 2), units: 1) }
    var atWork: [Int] = []
    while let ticket = queue.next() { atWork.append(ticket) }
    _ = queue.enter(1000, of: Self.client(2), units: 1)
    _ = queue.enter(1001, of: Self.client(2), units: 1)
    var order: [Int] = []
    while queue.count > 0 {
      let done = atWork.removeFirst()
      queue.leave(Self.client(done < 1000 ? done % 2 : 2), units: 1)
      while let ticket = queue.next() {
        order.append(ticket)
        atWork.append(ticket)
      }
    }
    let places = order.indices.filter { order[$0] >= 1000 }
    #expect(places.count == 2 && places[0] <= 2 && places[1] <= 6)
  }

  @Test func `the client with most connections loses the one without a request for longest`() {
    final class Name: Sendable {}
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let limit = Int.random(in: 1...12, using: &generator)
      var table = ConnectionTable(limit: limit)
      let ended = Mutex<Int?>(nil)
      var open: [(name: Name, number: Int, client: Int, requests: Int, use: Int)] = []
      var uses = 0
      for number in 0..<120 {
        uses += 1
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1:
          let (name, client) = (Name(), Int.random(in: 0..<3, using: &generator))
          open.append((name, number, client, 0, uses))
          table.add(ObjectIdentifier(name), of: Self.client(client)) {
            ended.withLock { $0 = number }
          }
        case 2:
          guard let index = open.indices.randomElement(using: &generator) else { continue }
          open[index].requests += 1
          open[index].use = uses
          table.begin(ObjectIdentifier(open[index].name))
        case 3:
          guard let index = open.indices.first(where: { open[$0].requests > 0 }) else { continue }
          open[index].requests -= 1
          open[index].use = uses
          table.end(ObjectIdentifier(open[index].name))
        default:
          guard let index = open.indices.randomElement(using: &generator) else { continue }
          let isRemoved = table.remove(ObjectIdentifier(open.remove(at: index).name))
          #expect(isRemoved)
          continue
        }
        let counts = Dictionary(grouping: open, by: \.client).mapValues(\.count)
        let idle = open.filter { $0.requests == 0 && $0.use < uses }
        let most = idle.compactMap { counts[$0.client] }.max()
        let expected = idle.filter { counts[$0.client] == most }.min { $0.use < $1.use }
        table.takeSurplus()?()
        let number = ended.withLock { $0.take() }
        #expect(number == (open.count > limit ? expected?.number : nil))
        open.removeAll { $0.number == number }
      }
    }
  }

  @Test func `requests are answered beside half open connections of one address`() throws {
    let server = try ServerProcess(["book"], ["--connections", "64"])
    let picture = "/iiif/3/\(try server.id("book"));1/full/100,/0/default.png"
    let kept = try RawConnection(to: server.address)
    let request = "GET \(picture) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try kept.send(request)
    #expect(try kept.answer().status == 200)
    let half = try (0..<300).map { number in
      let connection = try RawConnection(to: server.address, from: "127.0.0.2")
      if number % 2 == 0 { try connection.send("GET / HTTP/1.1\r\nHost: local") }
      return connection
    }
    for path in ["/health", picture] {
      #expect(try server.get(path, ["--max-time", "10"]).status == 200)
      let greedy = ["--max-time", "10", "--interface", "127.0.0.2"]
      #expect(try server.get(path, greedy).status == 200)
    }
    // A client with few connections keeps them.
    try kept.send(request)
    #expect(try kept.answer().status == 200)
    #expect(half[0].isClosed())
  }

  @Test func `a small picture does not wait for the large ones of another client`() throws {
    let files = try Certificate()
    let noise = try files.write("noise.pdf", NoisePicture.document(width: 1200, height: 900))
    let server = try ServerProcess([noise])
    let id = try server.id("noise")
    let small = "/iiif/3/\(id);1/0,0,100,100/50,/0/default.png"
    #expect(try server.get("/iiif/3/\(id);1/info.json").status == 200)
    let count = 24
    let greedy = try (0..<count).map { number in
      let connection = try RawConnection(to: server.address, from: "127.0.0.2")
      let size = "^\(4000 + number),"
      try connection.send(
        "GET /iiif/3/\(id);1/full/\(size)/0/default.png HTTP/1.1\r\nHost: localhost\r\n\r\n"
      )
      return connection
    }
    while try Self.waiting(server) < count * 2 / 3 {}
    #expect(try server.get(small).status == 200)
    #expect(try Self.waiting(server) >= count / 3)
    withExtendedLifetime(greedy) {}
  }

  private static func waiting(_ server: ServerProcess) throws -> Int {
    let metrics = try server.get("/metrics").text
    let line = metrics.split(separator: "\n").first { $0.hasPrefix("recto_requests_waiting ") }
    return try #require(line.flatMap { Int($0.dropFirst(23)) })
  }

  @Test func `one address does not have all conversations`() throws {
    let server = try ServerProcess(["book"], ["--connections", "16"])
    func begin(_ number: Int, from source: String) throws -> RawConnection {
      let digits = String(number, radix: 16)
      let name = String(repeating: "0", count: 32 - digits.count) + digits
      let connection = try RawConnection(to: server.address, from: source)
      try connection.send(
        "GET /api/sessions/\(name)/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
      )
      return connection
    }
    let greedy = try (0..<4).map { try begin($0, from: "127.0.0.2") }
    for connection in greedy { #expect(try connection.answer().status == 200) }
    #expect(try begin(4, from: "127.0.0.2").answer().status == 503)
    let others = try (5..<7).map { try begin($0, from: "127.0.0.1") }
    for connection in others { #expect(try connection.answer().status == 200) }
    #expect(try begin(8, from: "127.0.0.1").answer().status == 503)
    #expect(try begin(9, from: "127.0.0.3").answer().status == 200)
    withExtendedLifetime((greedy, others)) {}
  }
}
