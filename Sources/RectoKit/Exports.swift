// Re-exports the types in this module's signatures, so that `import RectoKit` is enough.

@_exported public import DocumentModel
@_exported public import DocumentText
@_exported public import PageLayout
@_exported public import RectoBase
@_exported public import RectoGeometry
@_exported public import RectoTiles
@_exported public import RenderWorkers
@_exported public import SystemPackage
