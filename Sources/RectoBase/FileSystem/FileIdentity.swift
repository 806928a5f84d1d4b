internal import Glibc
public import SystemPackage

/// A file as the system tells it apart from others and from its own earlier and later states.
public struct FileIdentity: Hashable, Sendable {
  /// Device number.
  public var device: Int
  /// Inode number.
  public var inode: Int
  /// Bytes.
  public var size: Int
  /// Time at which the bytes were changed last, which any program may set: whole seconds.
  public var modifiedSeconds: Int
  /// Time at which the bytes were changed last: nanoseconds on top.
  public var modifiedNanoseconds: Int
  /// Time of the last change of bytes, names, owner or permissions, which the system alone sets:
  /// whole seconds.
  public var changedSeconds: Int
  /// Time of the last change of any kind: nanoseconds on top.
  public var changedNanoseconds: Int
  /// What is changed without the bytes. Not a part of what tells files apart: the time of any change says it all.
  public var attributes: Attributes

  /// What else the system knows of a file.
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
  ///   - modifiedSeconds: Time at which the bytes were changed last: whole seconds.
  ///   - modifiedNanoseconds: Time at which the bytes were changed last: nanoseconds on top.
  ///   - changedSeconds: Time of the last change of any kind: whole seconds.
  ///   - changedNanoseconds: Time of the last change of any kind: nanoseconds on top.
  ///   - attributes: What is changed without the bytes.
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

  /// The identity of a file from what `stat` says.
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

  /// Whether the clock has advanced since the last change, so that the next change will have another time.
  /// Not if the time is still to come.
  public var isSettled: Bool {
    let now = Self.clock
    // A file system that keeps whole seconds, or two of them as FAT does.
    if modifiedNanoseconds == 0, changedNanoseconds == 0 {
      return now.tv_sec >= changedSeconds.addingReportingOverflow(2).partialValue
    }
    return (now.tv_sec, now.tv_nsec) > (changedSeconds, changedNanoseconds)
  }

  /// Waits until the clock that changes of files are stamped with has advanced, a few milliseconds.
  public static func waitForTick() {
    let start = clock
    var now = start
    while now.tv_sec == start.tv_sec && now.tv_nsec == start.tv_nsec {
      var pause = timespec(tv_sec: 0, tv_nsec: 500_000)
      nanosleep(&pause, nil)
      now = clock
    }
  }

  /// The clock that changes of files are stamped with; it advances in ticks.
  private static var clock: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now
  }

  /// Whether a file that was `other` still holds the same bytes, as far as the system tells.
  ///
  /// A file that is renamed, linked, or given other permissions or another user while it is shown is the same document. So
  /// another time of any change is passed over if the names, the permissions or the owner have changed too. If nothing else
  /// has, the bytes were edited, and the time of their change was put back.
  ///
  /// - Parameters:
  ///   - other: What the file was.
  ///   - isRenamed: Whether it has another name than it had.
  /// - Returns: Whether it holds the same bytes.
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
