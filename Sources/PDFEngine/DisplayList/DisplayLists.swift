// SPDX-License-Identifier: GPL-2.0-or-later

public import DocumentModel
public import RectoGeometry

/// Recordings kept for the next tiles of their pages, up to a number of bytes. The least recently
/// used are evicted first.
public struct DisplayLists {
  /// The most bytes kept.
  public let limit: Int
  /// Bytes kept now.
  public private(set) var bytes = 0
  private var lists: [DisplayList] = []

  /// 128 MB: a page of text takes some hundred kilobytes, a map at 1,600 % a few megabytes, and a
  /// scan at 600 dpi 140 MB, which is better drawn directly.
  public static let defaultLimit = 128 << 20

  /// Keeps nothing yet.
  public init(limit: Int = Self.defaultLimit) {
    self.limit = limit
  }

  /// How many are kept.
  public var count: Int { lists.count }

  /// A recording of a page, at a scale and rotation, that contains a part of it; marks it as used.
  ///
  /// - Complexity: O(*n*) in the number kept.
  public mutating func list(of raster: PageRaster, holding part: PixelRect) -> DisplayList? {
    let index = lists.firstIndex { $0.raster == raster && $0.rect.contains(part) }
    guard let index else { return nil }
    let list = lists.remove(at: index)
    lists.append(list)
    return list
  }

  /// Removes a recording.
  ///
  /// - Complexity: O(*n*) in the number kept.
  mutating func remove(_ list: DisplayList) {
    guard let index = lists.firstIndex(where: { $0 === list }) else { return }
    bytes -= lists.remove(at: index).bytes
  }

  /// Adds a recording, and evicts others until it fits.
  ///
  /// - Returns: Whether it is kept; one larger than ``limit`` is not, and evicts no others.
  @discardableResult
  public mutating func keep(_ list: DisplayList) -> Bool {
    guard list.bytes <= limit else { return false }
    bytes += list.bytes
    lists.append(list)
    while bytes > limit { bytes -= lists.removeFirst().bytes }
    return true
  }
}
