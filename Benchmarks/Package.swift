// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "recto", path: "..")],
  targets: [
    .systemLibrary(name: "CairoPeer", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .executableTarget(
      name: "EncoderBenchmarks",
      dependencies: [
        .product(name: "PNGCoding", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        "CairoPeer",
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
