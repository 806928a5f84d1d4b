// Sizes in pixels, which the signatures of this module name.

@_exported public import RectoGeometry
