import Foundation
import Testing

/// What happens to answers when the server is asked to end.
@Suite(.timeLimit(.minutes(10))) struct StopTests {
  @Test(arguments: [["--http1.1"], ["--http1.1", "--insecure"], ["--http2", "--insecure"]])
  func `an answer that is being read when the server ends is all there`(options: [String]) throws {
    let files = try Certificate()
    let picture = try files.write("noise.pdf", NoisePicture.document(width: 2400, height: 1800))
    let isEncrypted = options.contains("--insecure")
    let server = try ServerProcess([picture], isEncrypted ? files.options : [])
    let id = try server.id("noise", ["--insecure"])
    let path = "/iiif/3/\(id);1/full/max/0/default.png"
    let whole = try server.get(path, ["--insecure"]).body
    #expect(whole.count > 12 << 20)
    // Until its output is read, curl reads no more than fits a pipe and its buffers.
    let (curl, output) = try server.begin(path, options)
    let handle = output.fileHandleForReading
    var body = handle.readData(ofLength: 1024)
    #expect(body == whole.prefix(1024))
    server.terminate()
    while (try? RawConnection(to: server.address)) != nil {}
    body += handle.readDataToEndOfFile()
    curl.waitUntilExit()
    #expect(curl.terminationStatus == 0)
    #expect(body == whole)
    #expect(server.waitForEnd() == 128 + SIGTERM)
  }
}

/// A document with a picture that cannot be compressed.
enum NoisePicture {
  static func document(width: Int, height: Int) throws -> Data {
    let noise =
      try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
      .read(upToCount: width * height * 3) ?? Data()
    // Points at 300 pixels per inch.
    let size = "\(Double(width) * 0.24) \(Double(height) * 0.24)"
    let content =
      "\(size.split(separator: " ")[0]) 0 0 \(size.split(separator: " ")[1]) 0 0 cm /I Do"
    var file = Data("%PDF-1.4\n".utf8)
    var offsets: [Int] = []
    func add(_ dictionary: String, _ stream: Data? = nil) {
      offsets.append(file.count)
      file += Data("\(offsets.count) 0 obj\n\(dictionary)\n".utf8)
      if let stream { file += Data("stream\n".utf8) + stream + Data("\nendstream\n".utf8) }
      file += Data("endobj\n".utf8)
    }
    add("<< /Type /Catalog /Pages 2 0 R >>")
    add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size)] /Contents 4 0 R"
        + " /Resources << /XObject << /I 5 0 R >> >> >>"
    )
    add("<< /Length \(content.utf8.count) >>", Data(content.utf8))
    add(
      "<< /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /ColorSpace /DeviceRGB"
        + " /BitsPerComponent 8 /Length \(noise.count) >>",
      noise
    )
    let start = file.count
    file += Data("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      file += Data("\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
    }
    let trailer =
      "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    return file + Data(trailer.utf8)
  }
}
