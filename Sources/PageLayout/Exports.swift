// Points, pixels and pages, which the signatures of this module name.

@_exported public import RectoGeometry
