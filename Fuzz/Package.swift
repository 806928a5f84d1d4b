// swift-tools-version: 6.2
import PackageDescription

/// The program that `fuzz-readers` asks is a package of its own, so that Recto's build knows nothing of
/// it. The fuzzers of libFuzzer are built by their scripts.
let package = Package(
  name: "recto-fuzz",
  dependencies: [.package(name: "recto", path: "..")],
  targets: [
    .executableTarget(
      name: "ReaderFuzz",
      dependencies: [
        .product(name: "DocumentModel", package: "recto"),
        .product(name: "Geometry", package: "recto"),
        .product(name: "PDFEngine", package: "recto"),
        .product(name: "PDFStructure", package: "recto"),
        .product(name: "PageNumbers", package: "recto"),
      ],
      path: "Readers",
      exclude: [
        "cases.py", "fuzz.py", "generate.py", "model.py", "mutate_bytes.py", "mutate_objects.py",
        "mutate_sections.py", "oracle.cpp", "readers.py", "reduce.py",
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
