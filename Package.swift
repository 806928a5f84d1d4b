// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in Swift 6 language mode with these upcoming features.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let mathematics: [LinkerSetting] = [.linkedLibrary("m")]

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
  // Several modules in one map: Linux, libdeflate, libmd, libseccomp and fontconfig; and libraries loaded on demand:
  // libtiff, libturbojpeg, libwebp, utf8proc.
  Target.systemLibrary(
    name: "CLibraries",
    providers: [
      .apt([
        "libcurl4-openssl-dev", "libdeflate-dev", "libfontconfig-dev", "libmd-dev",
        "libseccomp-dev", "libturbojpeg0-dev",
        "libtiff-dev", "libutf8proc-dev", "libwebp-dev",
      ])
    ]
  ),
  // Poppler, cairo and FreeType; Pango, loaded on demand.
  .systemLibrary(
    name: "CDrawing",
    pkgConfig: "poppler-glib",
    providers: [.apt(["libcairo2-dev", "libfreetype-dev", "libpoppler-glib-dev"])]
  ),
]

let modules = [
  // Values at the bottom: points, pixels and pages.
  module("RectoGeometry", linking: mathematics),

  // Bytes, files, JSON, actors for blocking calls, and the only wrapper of libdeflate.
  module("RectoBase", ["CLibraries", systemPackage]),

  // Descriptions of documents and pages, and the messages between Recto's programs.
  module("DocumentModel", ["RectoBase", "RectoGeometry"]),

  // Text of pages in: lines, words, selections and matches out. Pure values, and the only wrapper of utf8proc.
  module("DocumentText", ["CLibraries", "DocumentModel", "RectoGeometry"]),

  // Page sizes in, frames out: pure values.
  module("PageLayout", ["RectoGeometry"], linking: mathematics),

  // PDF structure, with random access to untrusted bytes.
  module("PDFStructure", ["DocumentModel", "RectoBase", "RectoGeometry"]),

  // Pixels in, PNG out, and back.
  module("PNGCoding", ["RectoBase", "RectoGeometry"]),

  // Pixels in, pictures in any style out; the structure of picture files.
  module("RectoPictures", ["CLibraries", "DocumentModel", "PNGCoding", "RectoGeometry"]),

  // Tiles: grid, keys, cache, the render queue, and the protocol of `recto-shared-cache`.
  module(
    "RectoTiles",
    ["CLibraries", "DocumentModel", "RectoBase", "RectoGeometry", "RectoPictures", systemPackage]
  ),

  // The rasterizer over a pool of worker processes.
  module(
    "RenderWorkers",
    ["CLibraries", "DocumentModel", "RectoBase", "RectoGeometry", "RectoPictures", systemPackage]
  ),

  // Connects the other modules; the public interface.
  module(
    "RectoKit",
    [
      "CLibraries", "DocumentModel", "DocumentText", "PDFStructure", "PNGCoding", "PageLayout",
      "RectoBase", "RectoGeometry", "RectoPictures", "RectoTiles", "RenderWorkers", systemPackage,
    ]
  ),

  // Restricts processes that read documents.
  module("RectoSandbox", ["CLibraries", "DocumentModel", systemPackage]),

  // Loops over pixels, compiled for several kinds of processor.
  module("CPixelLoops"),

  // Poppler's own rasterizer, through its C++ interface (libpoppler-cpp-dev). Not linked: loaded when a worker starts.
  module("CSplash"),

  // The only module that uses poppler and cairo: the worker's program, and an engine for this process.
  module(
    "PDFEngine",
    [
      "CDrawing", "CLibraries", "CPixelLoops", "CSplash", "DocumentModel", "PNGCoding", "RectoBase",
      "RectoGeometry", "RectoPictures", "RectoSandbox", systemPackage,
    ],
    // If a library is linked, the linker exports this program's functions to it (`UnreadTextMaps`). It also records the
    // library's name, which changes with each release of Debian, so optimized builds avoid this: scripts/build.
    linking: [.linkedLibrary("poppler", .when(configuration: .debug))]
  ),

  // Replaces `malloc`: a worker without memory ends.
  module("CAllocation"),

  // The command: options, output, and the conversation with viewers.
  module(
    "RectoCommand",
    [
      "DocumentModel", "DocumentText", "PageLayout", "RectoBase", "RectoGeometry", "RectoKit",
      "RectoTiles", "RenderWorkers", arguments, systemPackage,
    ]
  ),

  // The layout engine for browsers, if it was compiled before: scripts/wasm.
  module("CPageLayoutModule"),

  // The server for browsers, with the HTML, CSS and JavaScript of the viewer.
  module(
    "RectoServer",
    [
      "CPageLayoutModule", "DocumentModel", "DocumentText", "PNGCoding", "RectoBase",
      "RectoCommand", "RectoGeometry",
      "RectoKit", "RectoPictures", "RectoTiles", "RenderWorkers", systemPackage,
      product("CoreMetrics", "swift-metrics"), product("HTTPTypes", "swift-http-types"),
      product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
      product("HummingbirdHTTP2", "hummingbird"), product("Logging", "swift-log"),
      product("NIOCore", "swift-nio"), product("NIOHTTP1", "swift-nio"),
      product("NIOPosix", "swift-nio"), product("NIOSSL", "swift-nio-ssl"),
      product("ServiceLifecycle", "swift-service-lifecycle"),
    ],
    resources: [.embedInCode("Viewer/Files")]
  ),
]

let programs = [
  program("recto", ["RectoCommand"]),
  program("recto-worker", ["CAllocation", "PDFEngine"]),
  program("recto-http", ["RectoCommand", "RectoServer"]),
  // Holds the connections to servers of documents.
  program(
    "recto-fetch",
    ["CLibraries", "DocumentModel", "RectoBase", "RectoSandbox", systemPackage]
  ),
  // Holds the connections to stores shared by several machines.
  program(
    "recto-shared-cache",
    [
      "CLibraries", "RectoBase", "RectoTiles", product("NIOCore", "swift-nio"),
      product("NIOPosix", "swift-nio"), product("NIOSSL", "swift-nio-ssl"),
    ]
  ),
]

/// Examples that the tests build and run. Those in the documentation are compiled like a new package, without upcoming
/// features.
let examples = [
  module("ExampleArrangements", ["PageLayout"], path: "docs/examples/Arrangements"),
  program("lay-out-only", ["PageLayout"], path: "docs/examples/LayOutOnly", settings: []),
  program("write-png", ["PNGCoding"], path: "docs/examples/WritePNG", settings: []),
  program("one-page", ["RectoKit"], path: "docs/examples/OnePage", settings: []),
  program("viewer-core", ["RectoKit"], path: "docs/examples/ViewerCore", settings: []),
  program("render-window", ["RectoKit"], path: "docs/examples/RenderWindow", settings: []),
  program(
    "mosaic-picture",
    ["ExampleArrangements", "RectoKit"],
    path: "docs/examples/MosaicPicture"
  ),
  program(
    "library-thumbnails",
    ["RectoKit"],
    path: "docs/examples/LibraryThumbnails",
    settings: []
  ),
]

let testTargets = [
  // Code shared by tests, and a worker that tries forbidden operations.
  module("TestSupport", ["CLibraries", "RectoGeometry"], path: "Tests/TestSupport"),
  module("CProbes", path: "Tests/CProbes"),
  program("sandbox-probe", ["CProbes", "PDFEngine", "RectoSandbox"], path: "Tests/SandboxProbe"),
  tests("GeometryTests", ["RectoGeometry"]),
  tests("PageNumbersTests", ["RectoGeometry"]),
  tests("SortedSearchTests", ["RectoGeometry"]),
  tests("DocumentTextTests", ["DocumentModel", "DocumentText", "RectoGeometry", "TestSupport"]),
  tests("ArchitectureTests", ["TestSupport"]),
  tests("ConcurrencyTests", ["RectoBase", "TestSupport", systemPackage]),
  tests("DeflateTests", ["RectoBase"]),
  tests("FileSystemTests", ["RectoBase", "TestSupport", systemPackage]),
  tests("PageLayoutTests", ["ExampleArrangements", "PageLayout", "RectoGeometry", "TestSupport"]),
  tests("PDFStructureTests", ["DocumentModel", "PDFStructure", "RectoGeometry", "TestSupport"]),
  tests("PNGCodingTests", ["CDrawing", "PNGCoding", "RectoBase", "RectoGeometry", "TestSupport"]),
  tests(
    "PictureCodingTests",
    ["DocumentModel", "PNGCoding", "RectoGeometry", "RectoPictures", "TestSupport"]
  ),
  tests("WorkerProtocolTests", ["DocumentModel", "RectoBase", "RectoGeometry"]),
  tests(
    "SharedTilesTests",
    ["RectoBase", "RectoKit", "RectoTiles", "TestSupport", "recto-shared-cache", systemPackage]
  ),
  tests("SharedStoresTests", ["RectoTiles", "TestSupport", "recto-shared-cache"]),
  tests(
    "TilesTests",
    [
      "DocumentModel", "PNGCoding", "RectoBase", "RectoGeometry", "RectoTiles", "TestSupport",
      systemPackage,
    ]
  ),
  tests(
    "RenderWorkersTests",
    [
      "CProbes", "DocumentModel", "PDFStructure", "PNGCoding", "RectoBase", "RectoGeometry",
      "RectoPictures", "RectoTiles", "RenderWorkers", "TestSupport", "recto-worker",
      "sandbox-probe", systemPackage,
    ]
  ),
  tests(
    "RectoKitTests",
    [
      "DocumentModel", "DocumentText", "ExampleArrangements", "PNGCoding", "PageLayout",
      "RectoBase", "RectoGeometry", "RectoKit", "RectoTiles", "RenderWorkers", "TestSupport",
      "mosaic-picture", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "CommandTests",
    [
      "DocumentModel", "PNGCoding", "PageLayout", "RectoBase", "RectoCommand", "RectoGeometry",
      "RectoKit", "RectoTiles", "TestSupport", "lay-out-only", "library-thumbnails", "one-page",
      "recto", "recto-fetch", "recto-http", "recto-shared-cache", "recto-worker", "render-window",
      "viewer-core", "write-png",
      arguments,
      systemPackage,
    ],
    exclude: ["Help", "Layouts"]
  ),
  // The contract of engines: the same tests for worker processes and the engine in this process.
  tests(
    "DocumentEngineTests",
    [
      "DocumentModel", "PDFEngine", "PDFStructure", "PNGCoding", "RectoGeometry", "RectoKit",
      "RectoTiles", "RenderWorkers", "TestSupport", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "PDFEngineTests",
    [
      "CDrawing", "DocumentModel", "PDFEngine", "PNGCoding", "RectoGeometry", "RectoTiles",
      "RenderWorkers", "TestSupport", "recto-worker", systemPackage,
    ]
  ),
  tests(
    "RectoServerTests",
    [
      "DocumentModel", "DocumentText", "PNGCoding", "RectoBase", "RectoCommand", "RectoGeometry",
      "RectoKit", "RectoPictures", "RectoServer", "RectoTiles", "RenderWorkers", "TestSupport",
      "recto-http", "recto-worker", systemPackage, product("HTTPTypes", "swift-http-types"),
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
  ] + programs.map { .executable(name: $0.name, targets: [$0.name]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    // Used only by the server and the shared stores.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
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
    .systemLibrary(name: "CairoPeer", path: "\(sources)/CairoPeer", pkgConfig: "cairo"),
    program(
      "recto-bench",
      [
        "CLibraries", "DocumentModel", "ExampleArrangements", "PDFStructure", "PNGCoding",
        "PageLayout", "RectoBase", "RectoGeometry", "RectoTiles", systemPackage,
      ],
      path: "\(sources)/recto-bench"
    ),
    program(
      "million-tiles",
      ["DocumentModel", "RectoBase", "RectoGeometry", "RectoTiles", systemPackage],
      path: "\(sources)/million-tiles"
    ),
    program(
      "text-search",
      ["DocumentModel", "DocumentText", "RectoGeometry"],
      path: "\(sources)/text-search"
    ),
    program(
      "DisplayListProbe",
      ["DocumentModel", "PDFEngine", "RectoGeometry"],
      path: "\(sources)/DisplayListProbe"
    ),
    program(
      "EncoderBenchmarks",
      ["CairoPeer", "PNGCoding", "RectoGeometry"],
      path: "\(sources)/EncoderBenchmarks"
    ),
    program(
      "ReaderFuzz",
      ["DocumentModel", "PDFEngine", "PDFStructure", "RectoGeometry"],
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
    ("Structure", ["DocumentModel", "PDFStructure", "RectoGeometry"]),
    ("Records", ["DocumentModel", "RectoBase", "RectoGeometry", "RectoTiles"]),
    ("PNG", ["DocumentModel", "PNGCoding", "RectoGeometry", "RectoPictures"]),
    ("Frames", ["DocumentModel", "RectoBase", "RectoTiles"]),
    ("Requests", ["DocumentModel", "RectoCommand"]),
    ("Layouts", ["DocumentModel", "PageLayout", "RectoCommand", "RectoGeometry"]),
    ("Addresses", ["DocumentModel", "RectoGeometry", "RectoServer"]),
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
