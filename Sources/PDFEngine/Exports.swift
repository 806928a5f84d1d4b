// SPDX-License-Identifier: GPL-2.0-or-later

// What the signatures of this module name.

@_exported public import DocumentModel
@_exported public import RectoGeometry
