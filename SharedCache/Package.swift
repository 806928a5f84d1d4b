// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The program that keeps the connections to a shared cache is a package of its own, so that Recto's
/// build knows nothing of SwiftNIO.
let package = Package(
  name: "recto-shared-cache",
  products: [.executable(name: "recto-shared-cache", targets: ["recto-shared-cache"])],
  dependencies: [
    .package(name: "recto", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.20.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "3.0.0"),
  ],
  targets: [
    .target(
      name: "SharedStores",
      dependencies: [
        .product(name: "SharedCacheProtocol", package: "recto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "recto-shared-cache",
      dependencies: [
        "SharedStores",
        .product(name: "ByteCoding", package: "recto"),
        .product(name: "SharedCacheProtocol", package: "recto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SharedStoresTests",
      dependencies: [
        "SharedStores", .product(name: "SharedCacheProtocol", package: "recto"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
