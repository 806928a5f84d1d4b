// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in Swift 6 language mode with these upcoming features.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let mathematics: [LinkerSetting] = [.linkedLibrary("m")]

/// A library of the system: a module map and a shim.
func system(_ name: String, _ package: String? = nil, apt: String? = nil) -> Target {
  .systemLibrary(name: name, pkgConfig: package, providers: apt.map { [.apt([$0])] })
}

func module(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  path: String? = nil,
  resources: [Resource]? = nil,
  linking: [LinkerSetting]? = nil
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: path,
    resources: resources,
    swiftSettings: settings,
    linkerSettings: linking
  )
}

func program(
  _ name: String,
  _ dependencies: [Target.Dependency],
  path: String? = nil,
  exclude: [String] = [],
  settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: path,
    exclude: exclude,
    swiftSettings: settings
  )
}

/// Tests of a module, in `Tests/<name>`.
func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies,
    exclude: exclude,
    swiftSettings: settings
  )
}

func product(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package)
}

let arguments = product("ArgumentParser", "swift-argument-parser")
let systemPackage = product("SystemPackage", "swift-system")

let libraries = [
  system("CPoppler", "poppler-glib", apt: "libpoppler-glib-dev"),
  system("CCairo", "cairo", apt: "libcairo2-dev"),
  system("CFreeType", "freetype2", apt: "libfreetype-dev"),
  // Not asked of pkg-config: see its header.
  system("CPango", "cairo", apt: "libpango1.0-dev"),
  system("CDeflate", "libdeflate", apt: "libdeflate-dev"),
  system("CDigest", "libmd", apt: "libmd-dev"),
  // Not linked: loaded when a JPEG or WebP is written or read, and when characters beyond ASCII are compared.
  system("CTurboJPEG", apt: "libturbojpeg0-dev"),
  system("CWebP", apt: "libwebp-dev"),
  system("CUTF8Proc", apt: "libutf8proc-dev"),
  system("CLinux"),
  // What a worker is held back with, and what it may read.
  system("CSeccomp", "libseccomp", apt: "libseccomp-dev"),
  system("CFontconfig", "fontconfig", apt: "libfontconfig-dev"),
]

let modules = [
  // Values at the bottom.
  module("Geometry", linking: mathematics),
  module("PageNumbers"),
  module("SortedSearch"),
  module("ByteCoding"),
  module("JSONWriting"),
  module("DocumentModel", ["ByteCoding", "Geometry", "PageNumbers"]),

  // Text of pages in: lines, words, selections and matches out. Pure values, and the one wrapper of utf8proc.
  module("DocumentText", ["CLinux", "CUTF8Proc", "DocumentModel", "Geometry"]),

  // The one wrapper of libdeflate.
  module("Deflate", ["CDeflate"]),

  // Page sizes in, frames out: pure values.
  module("PageLayout", ["Geometry", "PageNumbers", "SortedSearch"], linking: mathematics),

  // PDF structure, read at random from untrusted bytes.
  module("PDFStructure", ["Deflate", "DocumentModel", "Geometry", "PageNumbers", "SortedSearch"]),

  // What the command says to its workers, to `recto-shared-cache` and to `recto-sheet`.
  module("WorkerProtocol", ["ByteCoding", "DocumentModel", "Geometry", "PageNumbers"]),
  module("SharedCacheProtocol", ["ByteCoding"]),
  module("SheetProtocol", ["ByteCoding", "DocumentModel", "Geometry"]),

  // Whole-file operations: atomic writes, directories, typed errors.
  module("FileSystem", [systemPackage]),

  // Pixels in, PNG out, and back.
  module("PNGCoding", ["Deflate", "Geometry"]),

  // The structure of picture files, checked without decoding a pixel.
  module("PictureFiles", ["DocumentModel", "Geometry", "PNGCoding"]),

  // Pixels in, pictures in any style out.
  module("PictureCoding", ["CTurboJPEG", "CWebP", "DocumentModel", "Geometry", "PNGCoding"]),

  // Actors that make calls which block.
  module("Concurrency"),

  // Tiles: grid, keys, cache and the queue that decides what is drawn next.
  module(
    "Tiles",
    [
      "ByteCoding", "CDigest", "Deflate", "DocumentModel", "FileSystem", "Geometry", "PageNumbers",
      "PictureFiles", systemPackage,
    ]
  ),

  // The rasterizer over a pool of worker processes.
  module(
    "RenderWorkers",
    [
      "ByteCoding", "CLinux", "Concurrency", "DocumentModel", "Geometry", "PageNumbers",
      "PictureFiles", "WorkerProtocol", systemPackage,
    ]
  ),

  // A shared cache over a process that keeps the connections.
  module(
    "SharedTiles",
    [
      "ByteCoding", "Concurrency", "DocumentModel", "RenderWorkers", "SharedCacheProtocol", "Tiles",
      systemPackage,
    ]
  ),

  // Loops over pixels, compiled for several kinds of processor.
  module("CPixelLoops"),

  // Poppler's own rasterizer, by its interface in C++ (libpoppler-cpp-dev). Not linked: loaded when a worker starts.
  module("CSplash"),

  // The only module that sees poppler and cairo: what a worker draws with, and an engine for this process.
  module(
    "PDFEngine",
    [
      "CCairo", "CFreeType", "CLinux", "CPixelLoops", "CPoppler", "CSplash", "Concurrency",
      "Deflate", "DocumentModel", "Geometry", "PageNumbers", "PictureCoding",
    ],
    // For a library that it is told of, a linker offers the functions of this program (`UnreadTextMaps`). It would also note
    // the library's name, which changes with each release of Debian, so optimized builds do without: scripts/build.
    linking: [.linkedLibrary("poppler", .when(configuration: .debug))]
  ),

  // What keeps a process that works on a document from doing more than that.
  module("Sandbox", ["CFontconfig", "CLinux", "CSeccomp", "DocumentModel", systemPackage]),

  // What a worker process does, from its start to its end. CAllocation ends one that has no memory.
  module(
    "WorkerRuntime",
    [
      "ByteCoding", "CFontconfig", "CLinux", "Concurrency", "DocumentModel", "PDFEngine", "Sandbox",
      "WorkerProtocol", systemPackage,
    ]
  ),
  module("CAllocation"),

  // The one place where the wires meet.
  module(
    "RectoKit",
    [
      "ByteCoding", "CDigest", "Concurrency", "DocumentModel", "DocumentText", "FileSystem",
      "Geometry", "PDFStructure", "PNGCoding", "PageLayout", "PageNumbers", "PictureCoding",
      "PictureFiles", "RenderWorkers", "SheetProtocol", "SortedSearch", "Tiles", systemPackage,
    ]
  ),

  // Errors as Foundation shows them. The command and its workers do without.
  module("RectoFoundation", ["DocumentModel", "FileSystem", "PageLayout", "RectoKit"]),

  // The command: options, output, and the conversation with viewers.
  module(
    "RectoCommand",
    [
      "Concurrency", "DocumentModel", "DocumentText", "FileSystem", "Geometry", "JSONWriting",
      "PageLayout", "PageNumbers", "RectoKit", "RenderWorkers", "SharedCacheProtocol",
      "SharedTiles", "Tiles", arguments, systemPackage,
    ]
  ),

  // The server for browsers, and in it the HTML, CSS and JavaScript of the viewer.
  module("ViewerFiles", resources: [.embedInCode("Files")]),
  module(
    "RectoServer",
    [
      "Deflate", "DocumentModel", "DocumentText", "FileSystem", "Geometry", "JSONWriting",
      "PNGCoding", "PageNumbers", "PictureCoding", "RectoCommand", "RectoKit", "RenderWorkers",
      "Tiles", "ViewerFiles", systemPackage, product("Hummingbird", "hummingbird"),
      product("HummingbirdCore", "hummingbird"), product("HummingbirdHTTP2", "hummingbird"),
      product("ServiceLifecycle", "swift-service-lifecycle"),
      product("HTTPTypes", "swift-http-types"), product("Logging", "swift-log"),
      product("CoreMetrics", "swift-metrics"), product("NIOCore", "swift-nio"),
      product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
      product("NIOSSL", "swift-nio-ssl"),
    ]
  ),

  // Stores that several machines share.
  module(
    "SharedStores",
    [
      "SharedCacheProtocol", product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"),
      product("NIOHTTP1", "swift-nio"), product("NIOSSL", "swift-nio-ssl"),
      product("AsyncHTTPClient", "async-http-client"), product("Crypto", "swift-crypto"),
    ]
  ),
]

let programs = [
  program("recto", ["RectoCommand"]),
  program("recto-worker", ["CAllocation", "WorkerRuntime"]),
  // Draws contact sheets.
  program(
    "recto-sheet",
    [
      "ByteCoding", "CLinux", "CPango", "CTurboJPEG", "CWebP", "DocumentModel", "FileSystem",
      "Geometry", "PNGCoding", "PictureCoding", "Sandbox", "SheetProtocol", systemPackage,
    ]
  ),
  program("recto-http", ["RectoCommand", "RectoServer"]),
  program(
    "recto-shared-cache",
    [
      "ByteCoding", "SharedCacheProtocol", "SharedStores", product("NIOCore", "swift-nio"),
      product("NIOPosix", "swift-nio"),
    ]
  ),
]

/// Built and run by the tests. Those in the documentation are compiled as in a new package, without upcoming features.
let examples = [
  module("ExampleArrangements", ["Geometry", "PageLayout"], path: "docs/examples/Arrangements"),
  program(
    "render-window",
    ["DocumentModel", "Geometry", "PageLayout", "RectoKit"],
    path: "docs/examples/RenderWindow",
    settings: []
  ),
  program(
    "mosaic-picture",
    [
      "DocumentModel", "ExampleArrangements", "Geometry", "PageLayout", "RectoKit", systemPackage,
    ],
    path: "docs/examples/MosaicPicture"
  ),
  program(
    "library-thumbnails",
    ["DocumentModel", "RectoKit", systemPackage],
    path: "docs/examples/LibraryThumbnails",
    settings: []
  ),
]

let testTargets = [
  // What tests share, and a worker that tries what a worker must not be able to do.
  module("TestSupport", ["CLinux", "PageNumbers"], path: "Tests/TestSupport"),
  module("CProbes", path: "Tests/CProbes"),
  program("sandbox-probe", ["CProbes", "WorkerRuntime"], path: "Tests/SandboxProbe"),
  tests("GeometryTests", ["Geometry"]),
  tests("PageNumbersTests", ["PageNumbers"]),
  tests("SortedSearchTests", ["SortedSearch"]),
  tests("DocumentTextTests", ["DocumentModel", "DocumentText", "Geometry", "TestSupport"]),
  tests("ArchitectureTests", ["TestSupport"]),
  tests("ConcurrencyTests", ["Concurrency"]),
  tests("DeflateTests", ["Deflate"]),
  tests("FileSystemTests", ["FileSystem", "TestSupport", systemPackage]),
  tests(
    "PageLayoutTests",
    ["ExampleArrangements", "Geometry", "PageLayout", "PageNumbers", "TestSupport"]
  ),
  tests(
    "PDFStructureTests",
    ["DocumentModel", "Geometry", "PDFStructure", "PageNumbers", "TestSupport"]
  ),
  tests("PNGCodingTests", ["CCairo", "Deflate", "Geometry", "PNGCoding", "TestSupport"]),
  tests(
    "PictureCodingTests",
    ["DocumentModel", "Geometry", "PNGCoding", "PictureCoding", "PictureFiles", "TestSupport"]
  ),
  tests(
    "WorkerProtocolTests",
    ["ByteCoding", "DocumentModel", "Geometry", "PageNumbers", "WorkerProtocol"]
  ),
  tests("SheetProtocolTests", ["ByteCoding", "DocumentModel", "Geometry", "SheetProtocol"]),
  tests(
    "SharedTilesTests",
    [
      "ByteCoding", "Concurrency", "SharedCacheProtocol", "SharedTiles", "TestSupport", "Tiles",
      "recto-shared-cache", systemPackage,
    ]
  ),
  tests("SharedStoresTests", ["SharedCacheProtocol", "SharedStores"]),
  tests(
    "TilesTests",
    [
      "DocumentModel", "FileSystem", "Geometry", "PNGCoding", "PageNumbers", "TestSupport",
      "Tiles", systemPackage,
    ]
  ),
  tests(
    "RenderWorkersTests",
    [
      "ByteCoding", "CProbes", "Concurrency", "DocumentModel", "Geometry", "PDFStructure",
      "PNGCoding", "PageNumbers", "PictureCoding", "RenderWorkers", "TestSupport", "Tiles",
      "WorkerProtocol", "recto-worker", "sandbox-probe", systemPackage,
    ]
  ),
  tests(
    "RectoKitTests",
    [
      "DocumentModel", "DocumentText", "ExampleArrangements", "FileSystem", "Geometry",
      "PNGCoding", "PageLayout", "PageNumbers", "RectoFoundation", "RectoKit", "RenderWorkers",
      "TestSupport", "Tiles", "mosaic-picture", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "CommandTests",
    [
      "DocumentModel", "FileSystem", "Geometry", "JSONWriting", "PNGCoding", "PageLayout",
      "PageNumbers", "RectoCommand", "RectoKit", "SharedCacheProtocol", "TestSupport", "Tiles",
      "library-thumbnails", "recto", "recto-http", "recto-shared-cache", "recto-sheet",
      "recto-worker", "render-window", arguments, systemPackage,
    ],
    exclude: ["Help", "Layouts"]
  ),
  // What every engine promises: the same tests over worker processes and in this process.
  tests(
    "DocumentEngineTests",
    [
      "DocumentModel", "Geometry", "PDFEngine", "PDFStructure", "PNGCoding", "PageNumbers",
      "RectoKit", "RenderWorkers", "TestSupport", "Tiles", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "PDFEngineTests",
    [
      "CCairo", "CPoppler", "DocumentModel", "Geometry", "PDFEngine", "PNGCoding", "PageNumbers",
      "RenderWorkers", "TestSupport", "Tiles", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "RectoServerTests",
    [
      "DocumentModel", "DocumentText", "FileSystem", "Geometry", "JSONWriting", "PNGCoding",
      "PageNumbers", "PictureCoding", "RectoCommand", "RectoKit", "RectoServer", "RenderWorkers",
      "TestSupport", "Tiles", "recto-http", "recto-worker", systemPackage,
      product("HTTPTypes", "swift-http-types"),
      product("NIOCore", "swift-nio"),
    ]
  ),
]

let package = Package(
  name: "recto",
  products: [
    .library(name: "RectoKit", targets: ["RectoKit"]),
    .library(name: "PageLayout", targets: ["PageLayout"]),
    .library(name: "PNGCoding", targets: ["PNGCoding"]),
    // `InProcessEngine`, for programs that trust their files.
    .library(name: "PDFEngine", targets: ["PDFEngine"]),
    // What the signatures of those name.
    .library(name: "DocumentModel", targets: ["DocumentModel"]),
    .library(name: "DocumentText", targets: ["DocumentText"]),
    .library(name: "FileSystem", targets: ["FileSystem"]),
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "PageNumbers", targets: ["PageNumbers"]),
    .library(name: "RenderWorkers", targets: ["RenderWorkers"]),
    .library(name: "Tiles", targets: ["Tiles"]),
    // Errors as Foundation shows them, for programs that use it.
    .library(name: "RectoFoundation", targets: ["RectoFoundation"]),
    // `SharedStoreProcess`, for programs that share tiles with other machines.
    .library(name: "SharedTiles", targets: ["SharedTiles"]),
  ] + programs.map { .executable(name: $0.name, targets: [$0.name]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    // Of the server and the shared stores alone.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.20.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "3.0.0"),
  ],
  targets: libraries + modules + programs + examples + testTargets,
  swiftLanguageModes: [.v6]
)

// Needed by scripts/docs only.
if Context.environment["RECTO_DOCUMENTATION"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")
  )
}

// Programs that measure and compare: scripts/dev/run.
if Context.environment["RECTO_DEVELOPMENT"] != nil {
  let sources = "Tests/Benchmarks/Sources"
  package.targets += [
    .systemLibrary(name: "CMalloc", path: "\(sources)/CMalloc"),
    .systemLibrary(name: "CairoPeer", path: "\(sources)/CairoPeer", pkgConfig: "cairo"),
    program(
      "recto-bench",
      [
        "CMalloc", "DocumentModel", "FileSystem", "Geometry", "PDFStructure", "PNGCoding",
        "PageLayout", "PageNumbers", "Tiles", systemPackage,
      ],
      path: "\(sources)/recto-bench"
    ),
    program(
      "million-tiles",
      ["DocumentModel", "FileSystem", "Geometry", "PageNumbers", "Tiles", systemPackage],
      path: "\(sources)/million-tiles"
    ),
    program(
      "text-search",
      ["DocumentModel", "DocumentText", "Geometry"],
      path: "\(sources)/text-search"
    ),
    program(
      "DisplayListProbe",
      ["DocumentModel", "Geometry", "PDFEngine", "PageNumbers"],
      path: "\(sources)/DisplayListProbe"
    ),
    program(
      "EncoderBenchmarks",
      ["CairoPeer", "Geometry", "PNGCoding"],
      path: "\(sources)/EncoderBenchmarks"
    ),
    program(
      "ReaderFuzz",
      ["DocumentModel", "Geometry", "PDFEngine", "PDFStructure", "PageNumbers"],
      path: "Tests/Fuzz/Readers",
      exclude: [
        "cases.py", "fuzz.py", "generate.py", "model.py", "mutate_bytes.py", "mutate_objects.py",
        "mutate_sections.py", "oracle.cpp", "readers.py", "reduce.py",
      ]
    ),
  ]
}

// Needed by Tests/Fuzz/run only: they are built with sanitizers and have no main function.
if Context.environment["RECTO_FUZZ"] != nil {
  let targets: [(folder: String, dependencies: [Target.Dependency])] = [
    ("Structure", ["DocumentModel", "PDFStructure", "PageNumbers"]),
    ("Records", ["ByteCoding", "DocumentModel", "PageNumbers", "Tiles"]),
    ("PNG", ["DocumentModel", "Geometry", "PNGCoding", "PictureFiles"]),
    ("Frames", ["ByteCoding", "SharedCacheProtocol", "SheetProtocol", "WorkerProtocol"]),
    ("Requests", ["DocumentModel", "RectoCommand"]),
    ("Layouts", ["DocumentModel", "Geometry", "PageLayout", "PageNumbers", "RectoCommand"]),
    ("Addresses", ["DocumentModel", "Geometry", "PageNumbers", "RectoServer"]),
  ]
  for (folder, dependencies) in targets {
    package.products.append(
      .library(name: "Fuzz\(folder)", type: .static, targets: ["Fuzz\(folder)"])
    )
    package.targets.append(
      .target(
        name: "Fuzz\(folder)",
        dependencies: dependencies,
        path: "Tests/Fuzz/\(folder)",
        exclude: folder == "Structure" ? ["pdf.dict"] : []
      )
    )
  }
}
