// swift-tools-version: 6.2
import PackageDescription

/// Ways to keep tiles on disk, compared. A package of its own, because nothing else needs GRDB.
let package = Package(
  name: "cache-stores",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0")
  ],
  targets: [
    .systemLibrary(name: "CChecks", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .executableTarget(
      name: "cache-stores",
      dependencies: ["CChecks", .product(name: "GRDB", package: "GRDB.swift")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
