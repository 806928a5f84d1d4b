internal import DocumentModel
internal import RectoCommand
internal import RectoKit

/// The documents of the server, for conversations with viewers.
struct Host: ViewerHost {
  let documents: OpenDocuments

  func document(named name: String) -> HostedDocument? {
    documents.library[name].map { HostedDocument(name: $0.id, path: $0.path, title: $0.name) }
  }

  func open(
    _ document: HostedDocument,
    _ settings: DocumentSettings
  ) async throws(DocumentError) -> (Document, any PublishedPictures) {
    guard let entry = documents.library[document.name] else {
      throw DocumentError(.unreadable, during: "open", "there is no such document")
    }
    let open = try await documents.open(entry, settings)
    return (open.document, open)
  }
}
