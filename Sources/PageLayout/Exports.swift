// Points, pixels and pages, which this module's signatures use.

@_exported public import RectoGeometry
