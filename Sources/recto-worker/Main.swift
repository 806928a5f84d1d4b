// SPDX-License-Identifier: GPL-2.0-or-later

// For its functions, which are called by their names in the C library.
internal import CAllocation
internal import PDFEngine

/// Renders pages of one document for a parent process. Not meant to be started by hand.
@main
enum Main {
  static func main() { WorkerRuntime.run { $0.run() } }
}
