internal import ArgumentParser
internal import RectoKit
internal import SystemPackage

extension StoreFolder {
  /// The prefix among the options that pictures depend on: a journal does not ask what a store has.
  var optionText: String { " store \(path)" }
}

/// An output in a store: `s3://BUCKET/PREFIX/`, or with placeholders in the key, `s3://BUCKET/PREFIX/{stem}.png`.
struct StoreOutput {
  /// The prefix, up to the last slash before the first placeholder.
  let address: RemoteAddress
  /// The key after the prefix; nil if there is none.
  let template: FilePath?

  /// The output that a text names; nil for one on this machine.
  ///
  /// - Throws: A validation error for another address, and for one object.
  init?(_ text: String?) throws(ValidationError) {
    guard let text else { return nil }
    if RemoteAddress.malformed(text) != nil {
      throw ValidationError("--output: \(DocumentInput.noAddress)")
    }
    guard let address = RemoteAddress(text) else { return nil }
    guard address.isObject else {
      throw ValidationError(
        "--output: pictures are written to directories and to s3://BUCKET/PREFIX/, not to http addresses"
      )
    }
    let key = text.prefix { $0 != "{" && $0 != "}" }
    guard key.endIndex < text.endIndex else {
      guard address.isPrefix else {
        throw ValidationError(
          "--output: \(text) would be one object; write / at its end, or placeholders such as {stem}.png"
        )
      }
      self.address = address
      template = nil
      return
    }
    guard !text.hasSuffix("/") else {
      throw ValidationError(
        "--output: \(text) is to end with the name of an object, such as {stem}.png"
      )
    }
    guard let slash = key.lastIndex(of: "/"),
      let prefix = RemoteAddress(String(text[...slash])), prefix.isPrefix
    else { throw ValidationError("--output: a bucket has no placeholders") }
    self.address = prefix
    template = FilePath(String(text[text.index(after: slash)...]))
  }

  /// Refuses an address where only a path can be.
  ///
  /// - Parameter option: The option, with its dashes.
  /// - Throws: A validation error without secrets.
  static func refuseAddress(_ text: String?, _ option: String) throws(ValidationError) {
    guard let text, let shown = RemoteAddress(text)?.shown ?? RemoteAddress.malformed(text) else {
      return
    }
    throw ValidationError(
      "\(option): \(shown) is no path; --output of thumbs and pages can be s3://BUCKET/PREFIX/"
    )
  }
}
