// SPDX-License-Identifier: GPL-2.0-or-later

// The modules used in signatures of this module.

@_exported public import DocumentModel
@_exported public import RectoGeometry
