package import DocumentModel

/// The ends of SVG and PDF files, as cairo writes them. What is between them is as trustworthy as the document.
package enum VectorStructure {
  /// Whether bytes are the beginning of a file.
  package static func begins(_ bytes: [UInt8], _ format: PictureFormat) -> Bool {
    switch format {
    case .svg: bytes.starts(with: "<?xml ".utf8)
    case .pdf: bytes.starts(with: "%PDF-1.".utf8)
    default: false
    }
  }

  /// Whether bytes are the end of a file.
  package static func ends(_ bytes: [UInt8], _ format: PictureFormat) -> Bool {
    switch format {
    case .svg: bytes.suffix(7).elementsEqual("</svg>\n".utf8)
    case .pdf: bytes.suffix(6).elementsEqual("%%EOF\n".utf8)
    default: false
    }
  }
}
