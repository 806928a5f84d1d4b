// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in Swift 6 language mode with these upcoming features.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "recto",
  products: [],
  dependencies: [],
  targets: [
    // System libraries: a module map and a shim each.
    .systemLibrary(
      name: "CPoppler",
      pkgConfig: "poppler-glib",
      providers: [.apt(["libpoppler-glib-dev"])]
    ),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CDeflate",
      pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(name: "CDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),

    // Values at the bottom.
    .target(name: "Geometry", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "DocumentModel", dependencies: ["Geometry"], swiftSettings: settings),

    // The page tree, read at random from untrusted bytes.
    .target(
      name: "PageTree",
      dependencies: ["CDeflate", "DocumentModel", "Geometry"],
      swiftSettings: settings
    ),

    // Tests, one folder per module.
    .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: settings),
    .executableTarget(
      name: "PageTreeProbe",
      dependencies: ["DocumentModel", "Geometry", "PageTree"],
      path: "Tests/PageTreeProbe",
      swiftSettings: settings
    ),
    .testTarget(
      name: "PageTreeTests",
      dependencies: ["DocumentModel", "Geometry", "PageTree"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
