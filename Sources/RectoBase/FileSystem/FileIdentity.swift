internal import Glibc
public import SystemPackage

/// Identifies a file and its state, by what the system records about it.
public struct FileIdentity: Hashable, Sendable {
  /// Device number.
  public var device: Int
  /// Inode number.
  public var inode: Int
  /// Bytes.
  public var size: Int
  /// Time of the last change of the bytes, which any program may set: whole seconds.
  public var modifiedSeconds: Int
  /// Time of the last change of the bytes: additional nanoseconds.
  public var modifiedNanoseconds: Int
  /// Time of the last change of bytes, names, owner or permissions, which only the system sets:
  /// whole seconds.
  public var changedSeconds: Int
  /// Time of the last change of any kind: additional nanoseconds.
  public var changedNanoseconds: Int
  /// Attributes that change without the bytes. Not compared: the time of the last change covers them.
  public var attributes: Attributes

  /// Other attributes of a file.
  public struct Attributes: Hashable, Sendable {
    /// How many names it has.
    public var links: Int
    /// Its kind and permissions.
    public var mode: Int
    /// The number of its owner.
    public var owner: Int
    /// The number of its group.
    public var group: Int

    /// Attributes from their parts.
    ///
    /// - Parameters:
    ///   - links: How many names it has.
    ///   - mode: Its kind and permissions.
    ///   - owner: The number of its owner.
    ///   - group: The number of its group.
    public init(links: Int = 1, mode: Int = 0, owner: Int = 0, group: Int = 0) {
      self.links = links
      self.mode = mode
      self.owner = owner
      self.group = group
    }
  }

  /// An identity from its parts.
  ///
  /// - Parameters:
  ///   - device: Device number.
  ///   - inode: Inode number.
  ///   - size: Bytes.
  ///   - modifiedSeconds: Time of the last change of the bytes: whole seconds.
  ///   - modifiedNanoseconds: Time of the last change of the bytes: additional nanoseconds.
  ///   - changedSeconds: Time of the last change of any kind: whole seconds.
  ///   - changedNanoseconds: Time of the last change of any kind: additional nanoseconds.
  ///   - attributes: Attributes that change without the bytes.
  public init(
    device: Int,
    inode: Int,
    size: Int,
    modifiedSeconds: Int,
    modifiedNanoseconds: Int,
    changedSeconds: Int,
    changedNanoseconds: Int,
    attributes: Attributes = Attributes()
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedSeconds = changedSeconds
    self.changedNanoseconds = changedNanoseconds
    self.attributes = attributes
  }

  /// The identity of a file from its `stat`.
  public init(_ status: Stat) {
    self.init(
      device: Int(truncatingIfNeeded: status.rawValue.st_dev),
      inode: Int(truncatingIfNeeded: status.rawValue.st_ino),
      size: Int(status.rawValue.st_size),
      modifiedSeconds: status.rawValue.st_mtim.tv_sec,
      modifiedNanoseconds: status.rawValue.st_mtim.tv_nsec,
      changedSeconds: status.rawValue.st_ctim.tv_sec,
      changedNanoseconds: status.rawValue.st_ctim.tv_nsec,
      attributes: Attributes(
        links: Int(truncatingIfNeeded: status.rawValue.st_nlink),
        mode: Int(status.rawValue.st_mode),
        owner: Int(status.rawValue.st_uid),
        group: Int(status.rawValue.st_gid)
      )
    )
  }

  /// The file without its states.
  public var node: FileNode { FileNode(device: device, inode: inode) }

  /// Whether the clock has advanced since the last change, so that the next change gets another time. False for a time
  /// in the future.
  public var isSettled: Bool {
    let now = Self.clock
    // The file system keeps whole seconds, or two-second steps as FAT does.
    if modifiedNanoseconds == 0, changedNanoseconds == 0 {
      return now.tv_sec >= changedSeconds.addingReportingOverflow(2).partialValue
    }
    return (now.tv_sec, now.tv_nsec) > (changedSeconds, changedNanoseconds)
  }

  /// Waits until the file system's clock has advanced, which takes a few milliseconds.
  public static func waitForTick() {
    let start = clock
    var now = start
    while now.tv_sec == start.tv_sec && now.tv_nsec == start.tv_nsec {
      var pause = timespec(tv_sec: 0, tv_nsec: 500_000)
      nanosleep(&pause, nil)
      now = clock
    }
  }

  /// The clock for the times of files; it advances in ticks.
  private static var clock: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now
  }

  /// Whether a file with the former identity `other` still has the same bytes, as far as the system
  /// can tell.
  ///
  /// A file that is renamed, linked, or gets other permissions or another owner while it is shown is the same document.
  /// So a new time of last change is ignored if the names, permissions or owner changed too. If they did not, the bytes
  /// were edited and their time of change was set back.
  ///
  /// - Parameters:
  ///   - other: The file's earlier identity.
  ///   - isRenamed: Whether its name has changed.
  /// - Returns: Whether it has the same bytes.
  public func holdsBytes(of other: FileIdentity, isRenamed: Bool = false) -> Bool {
    var now = self
    now.attributes = other.attributes
    if isRenamed || attributes != other.attributes {
      now.changedSeconds = other.changedSeconds
      now.changedNanoseconds = other.changedNanoseconds
    }
    return now == other
  }
}
