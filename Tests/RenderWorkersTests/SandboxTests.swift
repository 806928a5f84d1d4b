import CProbes
import DocumentModel
import Foundation
import Glibc
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RenderWorkers

/// What a worker that a document has taken over can do: `sandbox-probe` starts as a worker does, and tries.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SandboxTests {
  /// How a worker is started.
  enum Start: CaseIterable {
    case byItself
    case fromTemplate
  }

  /// What a kernel lacks.
  struct Kernel: CustomTestStringConvertible {
    var missing: [String]
    /// What cannot be prevented there.
    var allowed: Set<String> = []
    /// The layers that are not in force.
    var layers: Set<SandboxLayer.Kind> = []

    var testDescription: String { missing.isEmpty ? "nothing" : missing.joined(separator: ", ") }
  }

  static let kernels = [
    Kernel(missing: []),
    Kernel(missing: ["namespaces"], layers: [.namespaces]),
    // The root directory is one of its own, with nothing but what it may read.
    Kernel(missing: ["landlock"], allowed: ["list the root directory"]),
    Kernel(
      missing: ["landlock", "namespaces"],
      allowed: [
        "read the passwords of the machine", "read the users of the machine",
        "read the hosts of the machine", "list the root directory", "list the home directory",
        "list the directory of temporary files", "read its own environment in /proc",
        "list its own descriptors", "list the processes", "read the arguments of its parent",
        "list the descriptors of its parent", "open its document again",
        "read the symbols of the kernel", "list the devices", "read a device",
      ],
      layers: [.namespaces, .files]
    ),
  ]

  private static let probe = FilePath(TestPaths.products.appending(path: "sandbox-probe").path)

  /// A program that starts another one on a kernel that lacks something.
  private func program(_ program: FilePath, _ kernel: Kernel, in folder: TemporaryFolder) throws
    -> FilePath
  {
    guard !kernel.missing.isEmpty else { return program }
    let tool = TestPaths.root.appending(path: "scripts/dev/sandbox/without").path
    let file = folder.url.appending(path: "worker")
    let missing = kernel.missing.joined(separator: ",")
    try Executable.write(
      #"exec /usr/bin/python3 '\#(tool)' \#(missing) '\#(program)' "$@""#,
      to: file
    )
    return FilePath(file.path)
  }

  /// Runs `body` with a function that starts a worker over a fixture.
  private func starting(
    _ program: FilePath,
    _ start: Start,
    _ body: (() throws -> Spawn.Worker) throws -> Void
  ) throws {
    let document = try FileDescriptor.open(TestPaths.fixture("book").path, .readOnly)
    defer { try? document.close() }
    switch start {
    case .byItself:
      try body {
        try WorkerProcesses.start { () throws(DocumentError) in
          try Spawn.worker(executable: program, document: document.rawValue, sandbox: .auto)
        }
      }
    case .fromTemplate:
      let template = WorkerTemplate(program)
      template.start()
      #expect(poll { template.isReady || template.process == nil })
      try body { try #require(try template.worker(document: document.rawValue)) }
    }
  }

  /// Asks a worker for a probe: the error number, or nil if the worker has ended.
  private func answer(_ worker: Spawn.Worker, _ number: Int) -> Int32? {
    var byte = UInt8(number)
    guard send(worker.requests, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { return nil }
    var end = pollfd(fd: worker.replies, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&end, 1, 30_000) > 0, read(worker.replies, &byte, 1) == 1 else { return nil }
    return Int32(byte)
  }

  private func end(_ worker: Spawn.Worker) -> Int32 {
    close(worker.requests)
    close(worker.replies)
    return WorkerProcesses.end(worker.pid)
  }

  @Test(arguments: kernels, Start.allCases)
  func `nothing that is not needed to draw works`(_ kernel: Kernel, _ start: Start) throws {
    setenv("RECTO_TEST_SECRET", "secret", 1)
    defer { unsetenv("RECTO_TEST_SECRET") }
    let folder = try TemporaryFolder()
    var worked: Set<String> = []
    var fatal = 0
    try starting(try program(Self.probe, kernel, in: folder), start) { worker in
      var current = try worker()
      for number in 0..<Int(probe_count()) {
        if let error = answer(current, number) {
          if error == 0 { worked.insert(String(cString: probe_name(Int32(number)))) }
          continue
        }
        let status = end(current)
        #expect(status & 0x7f == SIGSYS, "\(String(cString: probe_name(Int32(number))))")
        fatal += 1
        current = try worker()
      }
      _ = end(current)
    }
    #expect(probe_count() > 80 && fatal > 15)
    #expect(worked == kernel.allowed)
  }

  @Test(arguments: [kernels[0], kernels[1], kernels[2]])
  func `a process that connects to servers can open no file and start no program`(_ kernel: Kernel)
    throws
  {
    setenv("RECTO_TEST_SECRET", "secret", 1)
    defer { unsetenv("RECTO_TEST_SECRET") }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "probe")
    let program = try program(Self.probe, kernel, in: folder)
    try Executable.write(#"exec '\#(program)' --connects"#, to: file)
    var worked: Set<String> = []
    func start() throws -> Spawn.Worker {
      let started = try WorkerProcesses.start(helper: FilePath(file.path))
      let replies = dup(started.socket)
      return Spawn.Worker(pid: started.pid, requests: started.socket, replies: replies)
    }
    var current = try start()
    for number in 0..<Int(probe_count()) {
      let name = String(cString: probe_name(Int32(number)))
      if let error = answer(current, number) {
        guard error == 0 else { continue }
        worked.insert(name)
        // What it leaves open would be there for others.
        _ = end(current)
      } else {
        #expect(end(current) & 0x7f == SIGSYS, "\(name)")
      }
      current = try start()
    }
    _ = end(current)
    // It has the environment of its parent, and loads modules of the name service.
    let needed: Set<String> = [
      "read the hosts of the machine", "read a variable of its parent", "make an internet socket",
      "make an IPv6 socket", "make a netlink socket", "make a pair of sockets", "start a thread",
      "map a file to run", "map empty memory to run",
    ]
    #expect(worked == needed.union(kernel.allowed))
  }

  @Test func `the probes work where there is no sandbox`() throws {
    // Those that need no right and do no harm: a probe that fails everywhere proves nothing.
    let harmless = [
      "read the users of the machine", "list the root directory",
      "read its own environment in /proc", "open its own memory", "list the processes",
      "read the arguments of its parent", "list the devices", "create a file without a name",
      "make a file in memory", "make an internet socket", "make a local socket",
      "make a pair of sockets", "watch files", "start a process", "start a process directly",
      "start a thread", "signal its parent", "get a handle of its parent",
      "map memory to write and run", "make memory that it has written run",
      "map empty memory to run", "map shared memory to write", "map a file to run",
      "make a file that it has mapped run",
    ]
    let names = (0..<probe_count()).map { String(cString: probe_name($0)) }
    for name in harmless {
      let number = try #require(names.firstIndex(of: name))
      #expect(probe_try(Int32(number)) == 0, "\(name)")
    }
  }

  @Test(arguments: kernels)
  func `pictures are the same, and a worker tells which layers it has`(_ kernel: Kernel)
    async throws
  {
    let folder = try TemporaryFolder()
    let worker = FilePath(TestPaths.worker.path)
    let program = try program(worker, kernel, in: folder)
    let inspection = try await WorkerInspection.inspect(program)
    #expect(throws: Never.self) { try inspection.drawing.get() }
    let layers = inspection.description.sandbox
    #expect(Set(layers.map(\.kind)) == Set(SandboxLayer.Kind.allCases))
    #expect(Set(layers.filter { !$0.isInForce }.map(\.kind)) == kernel.layers)
    #expect(inspection.description.unreadableFonts.isEmpty)
    for fixture in ["book", "transparency", "form"] {
      var pictures: [[[UInt8]]] = []
      for program in [worker, program] {
        try await pool(TestPaths.fixture(fixture), program: program) { pool in
          let raster = try raster(0, try await pool.measure(0..<1)[0].get())
          pictures.append(try await pool.page(raster).pictures)
        }
      }
      #expect(pictures[0] == pictures[1], "\(fixture)")
    }
  }

  @Test(arguments: [false, true])
  func `a worker has what its libraries load late`(_ hasTemplate: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "title.pdf")
    let title = "Größe ≥ 1"
    let bytes = title.utf16.map { String(format: "%04X", $0) }.joined()
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Count 1/Kids[3 0 R]>>")
    pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 40 30]>>")
    pdf.add("<</Title<FEFF\(bytes)>>>")
    let text = String(decoding: pdf.finished(), as: UTF8.self)
    try Data(text.replacingOccurrences(of: "/Root", with: "/Info 4 0 R/Root").utf8).write(to: file)
    let document = try FileDescriptor.open(file.path, .readOnly)
    defer { try? document.close() }
    let program = FilePath(TestPaths.worker.path)
    let template = hasTemplate ? WorkerTemplate(program) : nil
    template?.start()
    #expect(poll { template?.isReady ?? true })
    let pool = WorkerPool(.init(executable: program, template: template), document: document)
    #expect(try await pool.open().info.title == title)
    let raster = try raster(0, try await pool.measure(0..<1)[0].get())
    for format in PictureFormat.allCases {
      let style = try PictureStyle(format)
      let frame = Rect(x: 0, y: 0, width: 100, height: 100)
      let sheet = VectorSheet(size: frame.size, pages: [.init(raster, frame: frame)])
      let drawn = try await pool.draw(
        PageDrawing(
          raster,
          format.isVector ? .sheets([sheet]) : .parts([whole(raster)]),
          style: style
        ),
        subset: nil
      )
      #expect(drawn.pictures.count == 1)
    }
    await pool.close()
  }

  @Test func `a required sandbox that is not there fails each request`() async throws {
    let folder = try TemporaryFolder()
    let document = try FileDescriptor.open(TestPaths.fixture("book").path, .readOnly)
    defer { try? document.close() }
    for kernel in Self.kernels {
      let program = try program(FilePath(TestPaths.worker.path), kernel, in: folder)
      for hasTemplate in [false, true] {
        let settings = WorkerPool.Settings(
          executable: program,
          template: hasTemplate ? WorkerTemplate(program, sandbox: .require) : nil,
          sandbox: .require
        )
        let pool = WorkerPool(settings, document: document)
        let error = await failure { try await pool.open() }
        #expect(error?.code == (kernel.layers.contains(.files) ? .sandbox : nil))
        await pool.close()
      }
    }
  }

  @Test func `a worker that is stopped ends with its parent`() throws {
    // It cannot notice by itself that its parent is gone.
    let folder = try TemporaryFolder()
    let command = try ChildProcess(
      TestPaths.products.appending(path: "recto"),
      [
        "render", "--no-cache", TestPaths.fixture("endless-forms").path, "--page", "2", "--image",
        "a.png",
      ],
      folder: folder.url,
      input: .null,
      output: .null,
      errors: .null
    )
    var workers: [pid_t] = []
    #expect(
      poll {
        workers = ProcessTable.workers(startedBy: command.processIdentifier)
        // By then they draw.
        return workers.contains { (ProcessTable.processorSeconds(of: $0) ?? 0) > 0.3 }
      }
    )
    for worker in workers { kill(worker, SIGSTOP) }
    command.send(SIGKILL)
    _ = command.wait()
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
  }

  @Test(arguments: Start.allCases)
  func `a worker without a thread that watches ends with its parent`(_ start: Start) throws {
    let folder = try TemporaryFolder()
    let input = try Pipes()
    let output = try Pipes()
    let parent = try ChildProcess(
      TestPaths.root.appending(path: "Tests/FalseWorker/parent"),
      [Self.probe.string, TestPaths.fixture("book").path]
        + (start == .fromTemplate ? ["--template"] : []),
      folder: folder.url,
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    output.writing.close()
    let number = String(decoding: try output.reading.read(), as: UTF8.self)
    let worker = try #require(pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)))
    // Two have ended.
    #expect(poll { ProcessTable.runningThreads(of: worker) == [worker] })
    parent.send(SIGKILL)
    _ = parent.wait()
    defer { kill(worker, SIGKILL) }
    #expect(poll { ProcessTable.isGone(worker) })
  }

  @Test(arguments: Start.allCases)
  func `a descriptor that its document can be written with reaches no worker`(
    _ start: Start
  ) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    for mode in [FileDescriptor.AccessMode.readWrite, .writeOnly] {
      let document = try FileDescriptor.open(file.path, mode)
      defer { try? document.close() }
      switch start {
      case .byItself:
        #expect(throws: DocumentError.self) {
          try Spawn.worker(executable: Self.probe, document: document.rawValue, sandbox: .auto)
        }
      case .fromTemplate:
        let template = WorkerTemplate(Self.probe)
        template.start()
        try #require(poll { template.isReady })
        #expect(try template.worker(document: document.rawValue) == nil)
      }
    }
  }

  @Test func `a worker names its libraries before it looks at its document`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "no document")
    try Data("no document".utf8).write(to: file)
    let document = try FileDescriptor.open(file.path, .readOnly)
    defer { try? document.close() }
    let worker = try WorkerProcesses.start { () throws(DocumentError) in
      try Spawn.worker(
        executable: FilePath(TestPaths.worker.path),
        document: document.rawValue,
        sandbox: .auto
      )
    }
    defer { _ = end(worker) }
    let payload = WorkerRequest.open(password: nil, subset: nil).payload
    let length = withUnsafeBytes(of: UInt32(payload.count).littleEndian) { Array($0) }
    let request = length + payload
    #expect(send(worker.requests, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    let output = FileHandle(fileDescriptor: worker.replies, closeOnDealloc: false)
    var replies: [WorkerReply] = []
    while replies.count < 2 {
      let length = try #require(try output.read(upToCount: 4))
      let count = length.enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
      let payload = Array(try #require(try output.read(upToCount: count)))
      replies.append(try WorkerReply(payload: payload[...]))
    }
    guard case .engine = replies[0], case .failed(let error) = replies[1] else {
      Issue.record("another reply was read")
      return
    }
    #expect(error.code == .notPDF)
  }

  @Test func `a worker gets no variable that it does not need`() async throws {
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1)
    defer { unsetenv("AWS_SECRET_ACCESS_KEY") }
    try await poolOfOwn("book") { pool, file in
      _ = try await pool.open()
      let worker = try #require(ProcessTable.workers(of: file).first)
      // Only root can read it, since the memory of a worker is hidden.
      guard let text = try? String(contentsOfFile: "/proc/\(worker)/environ", encoding: .utf8)
      else {
        return
      }
      let names = text.split(separator: "\0").compactMap { $0.split(separator: "=").first }
      #expect(!names.contains("AWS_SECRET_ACCESS_KEY") && !names.contains("PATH"))
      #expect(names.contains("HOME") || getenv("HOME") == nil)
    }
  }

  @Test func `a password is not in the memory of a worker that draws`() async throws {
    let password = "a password of some length, 42"
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "secret.pdf")
    let qpdf = try Program.run(
      URL(filePath: "/usr/bin/qpdf"),
      ["--encrypt", password, "owner", "256", "--", TestPaths.fixture("book").path, file.path]
    )
    #expect(qpdf.code == 0, "\(qpdf.errors)")
    try await pool(file, password: password) { pool in
      _ = try await pool.open()
      // It wipes after it has answered, and before it takes another request.
      _ = try await pool.measure(0..<1)
      let worker = try #require(ProcessTable.workers(of: file).first)
      guard let memory = FileHandle(forReadingAtPath: "/proc/\(worker)/mem") else { return }
      let maps = try String(contentsOfFile: "/proc/\(worker)/maps", encoding: .utf8)
      var found = 0
      var seen = 0
      for line in maps.split(separator: "\n") where line.contains(" rw") {
        let range = line.prefix { $0 != " " }.split(separator: "-").compactMap {
          Int($0, radix: 16)
        }
        guard range.count == 2, range[1] - range[0] < 1 << 27 else { continue }
        try memory.seek(toOffset: UInt64(range[0]))
        guard let bytes = try? memory.read(upToCount: range[1] - range[0]) else { continue }
        seen += bytes.count
        if bytes.range(of: Data(password.utf8)) != nil { found += 1 }
      }
      #expect(found == 0)
      #expect(seen > 1 << 20)
    }
  }
}
