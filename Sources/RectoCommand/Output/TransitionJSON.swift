internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// A transition in JSON. `docs/COMMAND.md` describes it.
extension JSONWriter {
  /// Writes a transition.
  ///
  /// - Parameters:
  ///   - progress: The time of "now"; nil writes only the ends of the transition.
  ///   - from: Writes the members of the previous layout.
  mutating func transition(
    _ transition: Transition,
    progress: Double?,
    from: (inout JSONWriter) -> Void
  ) {
    object("transition") { object in
      object.object("from") { start in
        from(&start)
        start.rect("viewport", transition.start.window)
      }
      object.object("pivot") { pivot in
        pivot.point("from", transition.pivot.start)
        pivot.point("to", transition.pivot.end)
      }
      object.object("angle") { angle in
        angle.member("from", transition.angle.start)
        angle.member("to", transition.angle.end)
      }
      if let progress { object.member("progress", progress) }
      object.array("pages") { array in
        for motion in transition.motions {
          array.object { page in
            page.member("index", motion.page.value)
            page.member("number", motion.page.number)
            page.end("from", motion.start, position: motion.oldPosition)
            page.end("to", motion.end, position: motion.newPosition)
            if let progress { page.moving(transition.page(of: motion, at: progress)) }
          }
        }
      }
    }
  }

  /// Writes the start or end of a page's movement.
  ///
  /// - Parameters:
  ///   - end: The page at one end of the transition.
  ///   - position: The position of the page in the layout, if it has one there.
  private mutating func end(_ key: String, _ end: PageMotion.End, position: Int?) {
    object(key) { object in
      if let position { object.member("position", position) }
      object.rect("frame", end.frame)
      if let clip = end.clip { object.rect("clip", clip) }
      object.member("opacity", end.opacity)
    }
  }

  private mutating func moving(_ page: MovingPage) {
    object("now") { object in
      object.rect("frame", page.frame)
      object.size("size", page.size)
      object.member("angle", page.angle)
      if let clip = page.clip { object.rect("clip", clip) }
      object.member("opacity", page.opacity)
    }
  }
}
