internal import ArgumentParser
internal import RectoKit
internal import RectoTiles

/// Where several machines keep tiles.
struct SharedCacheOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Store of tiles that several machines use, behind the cache: redis://host:port/database or \
      s3://bucket/prefix (default: $RECTO_SHARED_CACHE, else none). Implies --identity content.
      """,
      valueName: "url"
    )
  )
  var sharedCache: String?

  /// The variable that has the URL if the option is not given.
  private static let variable = "RECTO_SHARED_CACHE"

  /// Checks the URL.
  ///
  /// - Throws: A validation error that names the option or the variable.
  func validate() throws { _ = try url() }

  /// Checks the URL against other options.
  ///
  /// - Throws: A validation error for options that exclude each other.
  func validate(with cache: CacheOptions) throws(ValidationError) {
    guard try url() != nil else { return }
    if sharedCache != nil, cache.noCache {
      throw ValidationError("--shared-cache cannot be used with --no-cache")
    }
    if cache.identity == .file {
      throw ValidationError(
        "--identity file cannot be used with \(sharedCache == nil ? Self.variable : "--shared-cache")"
      )
    }
  }

  /// Adds the shared cache to settings, if there is one, and a cache before it.
  func add(to settings: inout DocumentSettings) {
    // It was checked before.
    guard let cache = settings.cache, let url = try? url() else { return }
    settings.identity = .content
    var store = SharedStoreProcess.Settings(address: url.address, timeout: url.timeout)
    store.cache = cache
    settings.shared = SharedTileCache(SharedStoreProcess(store))
  }

  private func url() throws(ValidationError) -> SharedCacheURL? {
    let text = sharedCache ?? Environment.text(Self.variable) ?? ""
    // Like other variables, an empty one is ignored.
    if text.isEmpty, sharedCache == nil { return nil }
    do throws(InvalidValue) {
      return try SharedCacheURL(text, variables: Environment.text)
    } catch {
      let name = sharedCache == nil ? Self.variable : "--shared-cache"
      throw ValidationError(
        "\(name): \(error.requirement), is '\(SharedCacheURL.redacted(text))'"
          + (error.detail.map { ": \($0)" } ?? "")
      )
    }
  }
}

extension SharedTileCache {
  /// Waits until everything is sent, and warns once about failures.
  func end(_ messages: MessagePrinter) async {
    await finish()
    if let failure = takeFailure() {
      messages.warn(code: "shared-cache", path: nil, "shared cache: \(failure)")
    }
  }
}
