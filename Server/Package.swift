// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What the server takes from Recto itself.
let recto: [Target.Dependency] = [
  .product(name: "Deflate", package: "recto"),
  .product(name: "DocumentModel", package: "recto"),
  .product(name: "DocumentText", package: "recto"),
  .product(name: "FileSystem", package: "recto"),
  .product(name: "Geometry", package: "recto"),
  .product(name: "JSONWriting", package: "recto"),
  .product(name: "PNGCoding", package: "recto"),
  .product(name: "PageNumbers", package: "recto"),
  .product(name: "PictureCoding", package: "recto"),
  .product(name: "RectoCommand", package: "recto"),
  .product(name: "RectoKit", package: "recto"),
  .product(name: "RenderWorkers", package: "recto"),
  .product(name: "Tiles", package: "recto"),
  .product(name: "SystemPackage", package: "swift-system"),
]

/// The server is a package of its own, so that Recto's build knows nothing of SwiftNIO.
let package = Package(
  name: "recto-http",
  products: [.executable(name: "recto-http", targets: ["recto-http"])],
  dependencies: [
    .package(name: "recto", path: ".."),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
  ],
  targets: [
    // HTML, CSS and JavaScript of the viewer, in the executable.
    .target(
      name: "ViewerFiles",
      resources: [.embedInCode("Files")],
      swiftSettings: settings
    ),
    .target(
      name: "RectoServer",
      dependencies: recto + [
        "ViewerFiles",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "recto-http", dependencies: ["RectoServer"], swiftSettings: settings),
    .testTarget(
      name: "RectoServerTests",
      dependencies: recto + [
        "RectoServer",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Needed by Fuzz/run only: it is built with sanitizers and has no main function.
if Context.environment["RECTO_FUZZ"] != nil {
  package.products.append(
    .library(name: "FuzzAddresses", type: .static, targets: ["FuzzAddresses"])
  )
  package.targets.append(
    .target(
      name: "FuzzAddresses",
      dependencies: [
        "RectoServer",
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        .product(name: "PageNumbers", package: "recto"),
      ],
      path: "Fuzz"
    )
  )
}
