// SPDX-License-Identifier: GPL-2.0-or-later

// Its functions replace those of the C library by name.
internal import CAllocation
internal import PDFEngine

/// Renders pages of one document for a parent process. Not meant to be started by hand.
@main
enum Main {
  static func main() { WorkerRuntime.run { $0.run() } }
}
