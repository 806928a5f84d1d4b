import SystemPackage
import Testing

@testable import RectoKit

/// Lists of objects in a store.
@Suite struct ObjectPageTests {
  private func page(_ members: String) -> ObjectPage? {
    ObjectPage(
      Array("<?xml version='1.0'?>\n<ListBucketResult x='y'>\(members)</ListBucketResult>".utf8)
    )
  }

  @Test func `objects have their keys, tags and sizes`() {
    let page = page(
      """
      <Name>library</Name><Prefix>p/</Prefix><KeyCount>2</KeyCount><IsTruncated>false</IsTruncated>
      <Contents><Key>p/a&amp;b &#233;&#x20ac;&lt;.pdf</Key><ETag>&quot;tag&quot;</ETag>
        <Size>12</Size><Owner><ID>Key</ID></Owner></Contents>
      <Contents><Size>-1</Size><ETag>W/"weak"</ETag><Key>p/b+c%20.pdf</Key></Contents>
      """
    )
    #expect(
      page?.objects == [
        ListedObject(key: "p/a&b é€<.pdf", tag: "\"tag\"", size: 12),
        ListedObject(key: "p/b+c%20.pdf"),
      ]
    )
    #expect(page?.next == nil)
  }

  @Test func `keys are decoded if the store says that they are encoded`() {
    let page = page(
      """
      <EncodingType>url</EncodingType><Contents><Key>a+b%2Bc%E2%82%AC%.pdf</Key></Contents>
      <IsTruncated>true</IsTruncated><NextContinuationToken>1/a+=&amp;</NextContinuationToken>
      """
    )
    #expect(page?.objects.map(\.key) == ["a b+c€%.pdf"])
    #expect(page?.next == "1/a+=&")
  }

  @Test(arguments: [
    "", "no XML", "<html><body>Sign in</body></html>", "<ListBucketResult", "<ListBucketResult><",
    "<ListBucketResult><Contents><Key>a</Key>", "<ListBucketResult><Contents></Contents>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken/></ListBucketResult>",
  ])
  func `anything else is no page`(text: String) {
    #expect(ObjectPage(Array(text.utf8)) == nil)
  }

  @Test func `the beginning of a page is no page`() {
    let text = Array(
      "<ListBucketResult><Contents><Key>a&amp;&#;&#x110000;%4</Key></Contents></ListBucketResult>"
        .utf8
    )
    for count in 0..<text.count { #expect(ObjectPage(Array(text.prefix(count))) == nil) }
    #expect(ObjectPage(text)?.objects.map(\.key) == ["a&&#;&#x110000;%4"])
  }

  @Test func `keys are found as files in a folder are, and none names a file elsewhere`() throws {
    let address = try #require(RemoteAddress("s3://library/2026/"))
    let prefix = RemoteDocument(address, RemoteAccess())
    let keys = [
      "a.pdf", "more/a.PDF", "note.txt", "x/.pdf", ".hidden/b.pdf", "x//c.pdf", "x/c.pdf",
      "../../d.pdf", "x/./e.pdf", "f\u{0}.pdf", "g\n.pdf", "\u{301}.pdf",
    ]
    let objects = keys.map { ListedObject(key: "2026/\($0)", tag: "\"\($0.count)\"", size: 9) }
    var library = DocumentLibrary()
    library.skip()
    let refused = library.add(objects, below: prefix, 0)
    #expect(library.items.map(\.name.string) == ["a", "more/a", "x/c", "x/c~2", "\u{301}"])
    #expect(
      library.items.map(\.remote?.address.shown)
        == ["a.pdf", "more/a.PDF", "x//c.pdf", "x/c.pdf", "\u{301}.pdf"].map {
          "s3://library/2026/\($0)"
        }
    )
    #expect(Set(library.items.map(\.remote?.identity)).count == 5)
    #expect(
      refused.map { String(decoding: $0, as: UTF8.self) }
        == ["../../d.pdf", "x/./e.pdf", "f\u{0}.pdf", "g\n.pdf"].map { "s3://library/2026/\($0)" }
    )
  }

  @Test func `a document of its own has the last part of its address as its name`() throws {
    var library = DocumentLibrary()
    for text in [
      "https://a.example/x/b.pdf?c=d", "https://a.example", "s3://b/c/..", "s3://b/b.pdf",
    ] {
      library.add(RemoteDocument(try #require(RemoteAddress(text)), RemoteAccess()))
    }
    #expect(library.items.map(\.name.string) == ["b", "a.example", "document", "b~2"])
  }
}
