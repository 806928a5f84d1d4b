// swift-tools-version: 6.2
import PackageDescription

/// The benchmarks are a package of their own, so that Recto's build knows nothing of them.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "recto-benchmarks",
  dependencies: [
    .package(name: "recto", path: ".."),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CairoPeer", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .executableTarget(
      name: "recto-bench",
      dependencies: [
        "CMalloc",
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "FileSystem", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        .product(name: "PNGCoding", package: "recto"),
        .product(name: "PageLayout", package: "recto"),
        .product(name: "PDFStructure", package: "recto"),
        .product(name: "PageNumbers", package: "recto"),
        .product(name: "Tiles", package: "recto"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "million-tiles",
      dependencies: [
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "FileSystem", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        .product(name: "PageNumbers", package: "recto"),
        .product(name: "Tiles", package: "recto"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "text-search",
      dependencies: [
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "DocumentText", package: "recto"),
        .product(name: "Geometry", package: "recto"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "DisplayListProbe",
      dependencies: [
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        .product(name: "PDFEngine", package: "recto"),
        .product(name: "PageNumbers", package: "recto"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "EncoderBenchmarks",
      dependencies: [
        .product(name: "Geometry", package: "recto"),
        .product(name: "PNGCoding", package: "recto"),
        "CairoPeer",
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
