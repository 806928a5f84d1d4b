// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in Swift 6 language mode with these upcoming features.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The example in the README is compiled as in a new package, without upcoming features.
let settingsOfNewPackage: [SwiftSetting] = []

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "recto",
  products: [
    .library(name: "RectoKit", targets: ["RectoKit"]),
    .library(name: "PageLayout", targets: ["PageLayout"]),
    .library(name: "PNGCoding", targets: ["PNGCoding"]),
    .library(name: "PDFStructure", targets: ["PDFStructure"]),
    // `InProcessEngine`, for programs that trust their files.
    .library(name: "PDFEngine", targets: ["PDFEngine"]),
    // Errors as Foundation shows them, for programs that use it.
    .library(name: "RectoFoundation", targets: ["RectoFoundation"]),
    // What the signatures of those name.
    .library(name: "DocumentModel", targets: ["DocumentModel"]),
    .library(name: "DocumentText", targets: ["DocumentText"]),
    .library(name: "FileSystem", targets: ["FileSystem"]),
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "PageNumbers", targets: ["PageNumbers"]),
    .library(name: "RenderWorkers", targets: ["RenderWorkers"]),
    .library(name: "Tiles", targets: ["Tiles"]),
    // `SharedStoreProcess`, for programs that share tiles with other machines.
    .library(name: "SharedTiles", targets: ["SharedTiles"]),
    // What `recto-shared-cache` is made from, a package of its own.
    .library(name: "ByteCoding", targets: ["ByteCoding"]),
    .library(name: "SharedCacheProtocol", targets: ["SharedCacheProtocol"]),
    // What `recto-http` is made from, a package of its own.
    .library(name: "Deflate", targets: ["Deflate"]),
    .library(name: "JSONWriting", targets: ["JSONWriting"]),
    .library(name: "PictureCoding", targets: ["PictureCoding"]),
    .library(name: "RectoCommand", targets: ["RectoCommand"]),
    .executable(name: "recto", targets: ["recto"]),
    .executable(name: "recto-worker", targets: ["recto-worker"]),
    .executable(name: "recto-sheet", targets: ["recto-sheet"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    // System libraries: a module map and a shim each.
    .systemLibrary(
      name: "CPoppler",
      pkgConfig: "poppler-glib",
      providers: [.apt(["libpoppler-glib-dev"])]
    ),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CFreeType",
      pkgConfig: "freetype2",
      providers: [.apt(["libfreetype-dev"])]
    ),
    // Not asked of pkg-config: see its header.
    .systemLibrary(
      name: "CPango",
      pkgConfig: "cairo",
      providers: [.apt(["libpango1.0-dev"])]
    ),
    .systemLibrary(
      name: "CDeflate",
      pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(name: "CDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),

    // Not linked: loaded when a JPEG or WebP is written or read.
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),

    // Not linked: loaded when characters beyond ASCII are compared.
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),

    .systemLibrary(name: "CLinux"),

    // What a worker is held back with, and what it may read.
    .systemLibrary(
      name: "CSeccomp",
      pkgConfig: "libseccomp",
      providers: [.apt(["libseccomp-dev"])]
    ),
    .systemLibrary(
      name: "CFontconfig",
      pkgConfig: "fontconfig",
      providers: [.apt(["libfontconfig-dev"])]
    ),

    // Values at the bottom.
    .target(name: "Geometry", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "PageNumbers", swiftSettings: settings),
    .target(name: "SortedSearch", swiftSettings: settings),
    .target(name: "ByteCoding", swiftSettings: settings),
    .target(name: "JSONWriting", swiftSettings: settings),
    .target(
      name: "DocumentModel",
      dependencies: ["ByteCoding", "Geometry", "PageNumbers"],
      swiftSettings: settings
    ),

    // Text of pages in: lines, words, selections and matches out. Pure values, and the one wrapper of
    // utf8proc.
    .target(
      name: "DocumentText",
      dependencies: ["CLinux", "CUTF8Proc", "DocumentModel", "Geometry"],
      swiftSettings: settings
    ),

    // The one wrapper of libdeflate.
    .target(name: "Deflate", dependencies: ["CDeflate"], swiftSettings: settings),

    // Page sizes in, frames out: pure values.
    .target(
      name: "PageLayout",
      dependencies: ["Geometry", "PageNumbers", "SortedSearch"],
      swiftSettings: settings,
      linkerSettings: [.linkedLibrary("m")]
    ),

    // PDF structure, read at random from untrusted bytes.
    .target(
      name: "PDFStructure",
      dependencies: ["Deflate", "DocumentModel", "Geometry", "PageNumbers", "SortedSearch"],
      swiftSettings: settings
    ),

    // What the command and its workers say to each other.
    .target(
      name: "WorkerProtocol",
      dependencies: ["ByteCoding", "DocumentModel", "Geometry", "PageNumbers"],
      swiftSettings: settings
    ),

    // What the command and `recto-shared-cache` say to each other.
    .target(name: "SharedCacheProtocol", dependencies: ["ByteCoding"], swiftSettings: settings),

    // What the command and `recto-sheet` say to each other.
    .target(
      name: "SheetProtocol",
      dependencies: ["ByteCoding", "DocumentModel", "Geometry"],
      swiftSettings: settings
    ),

    // Whole-file operations: atomic writes, directories, typed errors.
    .target(name: "FileSystem", dependencies: [system], swiftSettings: settings),

    // Pixels in, PNG out, and back.
    .target(name: "PNGCoding", dependencies: ["Deflate", "Geometry"], swiftSettings: settings),

    // The structure of picture files, checked without decoding a pixel.
    .target(
      name: "PictureFiles",
      dependencies: ["DocumentModel", "Geometry", "PNGCoding"],
      swiftSettings: settings
    ),

    // Pixels in, pictures in any style out.
    .target(
      name: "PictureCoding",
      dependencies: ["CTurboJPEG", "CWebP", "DocumentModel", "Geometry", "PNGCoding"],
      swiftSettings: settings
    ),

    // Actors that make calls which block.
    .target(name: "Concurrency", swiftSettings: settings),

    // Tiles: grid, keys, cache and the queue that decides what is drawn next.
    .target(
      name: "Tiles",
      dependencies: [
        "ByteCoding", "CDigest", "Deflate", "DocumentModel", "FileSystem", "Geometry",
        "PageNumbers", "PictureFiles", system,
      ],
      swiftSettings: settings
    ),

    // The rasterizer over a pool of worker processes.
    .target(
      name: "RenderWorkers",
      dependencies: [
        "ByteCoding", "CLinux", "Concurrency", "DocumentModel", "Geometry", "PageNumbers",
        "PictureFiles", "WorkerProtocol", system,
      ],
      swiftSettings: settings
    ),

    // A shared cache over a process that keeps the connections.
    .target(
      name: "SharedTiles",
      dependencies: [
        "ByteCoding", "Concurrency", "DocumentModel", "RenderWorkers", "SharedCacheProtocol",
        "Tiles", system,
      ],
      swiftSettings: settings
    ),

    // Loops over pixels, compiled for several kinds of processor.
    .target(name: "CPixelLoops", swiftSettings: settings),

    // Poppler's own rasterizer, by its interface in C++ (libpoppler-cpp-dev). Not linked: loaded when a worker starts.
    .target(name: "CSplash", swiftSettings: settings),

    // The only module that sees poppler and cairo: what a worker draws with, and an engine for this
    // process.
    .target(
      name: "PDFEngine",
      dependencies: [
        "CCairo", "CFreeType", "CLinux", "CPixelLoops", "CPoppler", "CSplash", "Concurrency",
        "Deflate", "DocumentModel", "Geometry", "PageNumbers", "PictureCoding",
      ],
      swiftSettings: settings,
      // For a library that it is told of, a linker offers the functions of this program (`UnreadTextMaps`). It would also note
      // the library's name, which changes with each release of Debian, so optimized builds do without: scripts/build.
      linkerSettings: [.linkedLibrary("poppler", .when(configuration: .debug))]
    ),

    // What keeps a process that works on a document from doing more than that.
    .target(
      name: "Sandbox",
      dependencies: ["CFontconfig", "CLinux", "CSeccomp", "DocumentModel", system],
      swiftSettings: settings
    ),

    // What a worker process does, from its start to its end.
    .target(
      name: "WorkerRuntime",
      dependencies: [
        "ByteCoding", "CFontconfig", "CLinux", "Concurrency", "DocumentModel", "PDFEngine",
        "Sandbox", "WorkerProtocol", system,
      ],
      swiftSettings: settings
    ),

    // The one place where the wires meet.
    .target(
      name: "RectoKit",
      dependencies: [
        "ByteCoding", "CDigest", "Concurrency", "DocumentModel", "DocumentText", "FileSystem",
        "Geometry", "PDFStructure", "PNGCoding", "PageLayout", "PageNumbers", "PictureCoding",
        "PictureFiles",
        "RenderWorkers", "SheetProtocol", "SortedSearch", "Tiles", system,
      ],
      swiftSettings: settings
    ),

    // Errors as Foundation shows them. The command and its workers do without.
    .target(
      name: "RectoFoundation",
      dependencies: ["DocumentModel", "FileSystem", "PageLayout", "RectoKit"],
      swiftSettings: settings
    ),

    // The command: options, output, and the conversation with viewers.
    .target(
      name: "RectoCommand",
      dependencies: [
        "Concurrency", "DocumentModel", "DocumentText", "FileSystem", "Geometry", "JSONWriting",
        "PageLayout",
        "PageNumbers", "RectoKit", "RenderWorkers", "SharedCacheProtocol", "SharedTiles", "Tiles",
        system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "recto", dependencies: ["RectoCommand"], swiftSettings: settings),
    // Ends a process that has no memory.
    .target(name: "CAllocation", swiftSettings: settings),
    .executableTarget(
      name: "recto-worker",
      dependencies: ["CAllocation", "WorkerRuntime"],
      swiftSettings: settings
    ),

    // Draws contact sheets.
    .executableTarget(
      name: "recto-sheet",
      dependencies: [
        "ByteCoding", "CLinux", "CPango", "CTurboJPEG", "CWebP", "DocumentModel", "FileSystem",
        "Geometry", "PNGCoding", "PictureCoding", "Sandbox", "SheetProtocol", system,
      ],
      swiftSettings: settings
    ),

    // Tests, one folder per module, and what they share.
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "PageNumbers"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // A worker that tries what a worker must not be able to do.
    .target(name: "CProbes", path: "Tests/CProbes", swiftSettings: settings),
    .executableTarget(
      name: "sandbox-probe",
      dependencies: ["CProbes", "WorkerRuntime"],
      path: "Tests/SandboxProbe",
      swiftSettings: settings
    ),
    .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: settings),
    .testTarget(name: "PageNumbersTests", dependencies: ["PageNumbers"], swiftSettings: settings),
    .testTarget(name: "SortedSearchTests", dependencies: ["SortedSearch"], swiftSettings: settings),
    .testTarget(
      name: "DocumentTextTests",
      dependencies: ["DocumentModel", "DocumentText", "Geometry", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: ["TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency"], swiftSettings: settings),
    .testTarget(name: "DeflateTests", dependencies: ["Deflate"], swiftSettings: settings),
    .testTarget(
      name: "FileSystemTests",
      dependencies: ["FileSystem", "TestSupport", system],
      swiftSettings: settings
    ),
    .target(
      name: "ExampleArrangements",
      dependencies: ["Geometry", "PageLayout"],
      path: "Examples/Arrangements",
      swiftSettings: settings
    ),
    // The program in the README.
    .executableTarget(
      name: "render-window",
      dependencies: ["DocumentModel", "Geometry", "PageLayout", "RectoKit"],
      path: "Examples/RenderWindow",
      swiftSettings: settingsOfNewPackage
    ),
    .executableTarget(
      name: "mosaic-picture",
      dependencies: [
        "DocumentModel", "ExampleArrangements", "Geometry", "PageLayout", "RectoKit", system,
      ],
      path: "Examples/MosaicPicture",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "library-thumbnails",
      dependencies: ["DocumentModel", "RectoKit", system],
      path: "Examples/LibraryThumbnails",
      swiftSettings: settingsOfNewPackage
    ),
    .testTarget(
      name: "PageLayoutTests",
      dependencies: [
        "ExampleArrangements", "Geometry", "PageLayout", "PageNumbers", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PDFStructureTests",
      dependencies: ["DocumentModel", "Geometry", "PDFStructure", "PageNumbers", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PNGCodingTests",
      dependencies: ["CCairo", "Deflate", "Geometry", "PNGCoding", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PictureCodingTests",
      dependencies: [
        "DocumentModel", "Geometry", "PNGCoding", "PictureCoding", "PictureFiles", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "WorkerProtocolTests",
      dependencies: ["ByteCoding", "DocumentModel", "Geometry", "PageNumbers", "WorkerProtocol"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SheetProtocolTests",
      dependencies: ["ByteCoding", "DocumentModel", "Geometry", "SheetProtocol"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SharedTilesTests",
      dependencies: [
        "ByteCoding", "Concurrency", "SharedCacheProtocol", "SharedTiles", "TestSupport", "Tiles",
        system,
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TilesTests",
      dependencies: [
        "DocumentModel", "FileSystem", "Geometry", "PNGCoding", "PageNumbers", "TestSupport",
        "Tiles", system,
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RenderWorkersTests",
      dependencies: [
        "ByteCoding", "Concurrency", "DocumentModel", "Geometry", "PNGCoding", "PDFStructure",
        "PageNumbers", "PictureCoding", "CProbes", "RenderWorkers", "TestSupport", "Tiles",
        "WorkerProtocol", "recto-worker",
        "sandbox-probe", system,
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RectoKitTests",
      dependencies: [
        "DocumentModel", "DocumentText", "ExampleArrangements", "FileSystem", "Geometry",
        "PNGCoding", "PageLayout", "PageNumbers", "RectoFoundation", "RectoKit", "RenderWorkers",
        "TestSupport", "Tiles", "mosaic-picture", "recto-worker", system,
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "DocumentModel", "FileSystem", "Geometry", "JSONWriting", "PNGCoding", "PageLayout",
        "PageNumbers",
        "RectoCommand", "RectoKit", "SharedCacheProtocol", "TestSupport", "Tiles",
        "library-thumbnails", "recto", "recto-sheet", "recto-worker", "render-window", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Help", "Layouts"],
      swiftSettings: settings
    ),
    // What every engine promises: the same tests over worker processes and in this process.
    .testTarget(
      name: "DocumentEngineTests",
      dependencies: [
        "DocumentModel", "Geometry", "PDFEngine", "PDFStructure", "PNGCoding", "PageNumbers",
        "RectoKit", "RenderWorkers", "TestSupport", "Tiles", "recto-worker", system,
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PDFEngineTests",
      dependencies: [
        "CCairo", "CPoppler", "DocumentModel", "Geometry", "PDFEngine", "PNGCoding", "PageNumbers",
        "RenderWorkers", "TestSupport", "Tiles", "recto-worker", system,
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Needed by scripts/docs only, so packages that depend on this one do not resolve it.
if Context.environment["RECTO_DOCUMENTATION"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")
  )
}

// Needed by Fuzz/run only: they are built with sanitizers and have no main function.
if Context.environment["RECTO_FUZZ"] != nil {
  let targets: [(folder: String, dependencies: [Target.Dependency])] = [
    ("Structure", ["DocumentModel", "PDFStructure", "PageNumbers"]),
    ("Records", ["ByteCoding", "DocumentModel", "PageNumbers", "Tiles"]),
    ("PNG", ["DocumentModel", "Geometry", "PNGCoding", "PictureFiles"]),
    ("Frames", ["ByteCoding", "SharedCacheProtocol", "SheetProtocol", "WorkerProtocol"]),
    ("Requests", ["DocumentModel", "RectoCommand"]),
    ("Layouts", ["DocumentModel", "Geometry", "PageLayout", "PageNumbers", "RectoCommand"]),
  ]
  for (folder, dependencies) in targets {
    package.products.append(
      .library(name: "Fuzz\(folder)", type: .static, targets: ["Fuzz\(folder)"])
    )
    package.targets.append(
      .target(
        name: "Fuzz\(folder)",
        dependencies: dependencies,
        path: "Fuzz/\(folder)",
        exclude: folder == "Structure" ? ["pdf.dict"] : []
      )
    )
  }
}
