internal import DocumentModel
internal import RectoCommand
internal import RectoKit

/// The documents of the server, for conversations with viewers.
struct Host: ViewerHost {
  let documents: OpenDocuments

  func document(named name: String) -> HostedDocument? {
    documents.library[name].map { entry in
      HostedDocument(
        name: entry.id,
        path: entry.item.path,
        address: entry.item.remote?.address,
        title: entry.name
      )
    }
  }

  func open(
    _ document: HostedDocument,
    _ settings: DocumentSettings
  ) async throws(DocumentError) -> (Document, any PublishedPictures) {
    guard let entry = documents.library[document.name] else {
      throw DocumentError(.unreadable, during: "open", "there is no such document")
    }
    let open = try await documents.open(entry, settings, isPresent: true)
    return (open.document, open)
  }
}
