import DocumentModel
import Testing

/// Dates of PDF as dates of ISO 8601.
@Suite struct DocumentDateTests {
  @Test(
    "All behind the year can be missing, and a missing offset is none",
    arguments: [
      ("D:20170108101112+01'00'", "2017-01-08T10:11:12+01:00"),
      ("D:20170108101112-09'30", "2017-01-08T10:11:12-09:30"),
      ("20170108101112Z", "2017-01-08T10:11:12Z"), ("D:201701081011", "2017-01-08T10:11:00Z"),
      ("D:20170108101112Z00'00'", "2017-01-08T10:11:12Z"),
      ("D:20170108101112+00'00'", "2017-01-08T10:11:12Z"), ("D:2017", "2017-01-01T00:00:00Z"),
      ("D:20170108101112+01", "2017-01-08T10:11:12+01:00"),
      ("D:0987", "0987-01-01T00:00:00Z"), ("D:20240229", "2024-02-29T00:00:00Z"),
    ]
  )
  func dates(text: String, iso: String) {
    #expect(DocumentDate(pdf: text)?.description == iso)
  }

  @Test(
    "What cannot be is no date",
    arguments: [
      "", "D:", "today", "D:20230229", "D:20170132", "D:20171301", "D:2017010824", "D:00000101",
      "D:20170108101112+99'00'", "-2017", "D:20170108101160",
    ]
  )
  func noDates(text: String) {
    #expect(DocumentDate(pdf: text) == nil)
  }
}
