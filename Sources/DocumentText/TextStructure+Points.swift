internal import DocumentModel
public import RectoGeometry

extension TextStructure {
  /// The line nearest to a point, as an index in ``lines``; nil if there is none.
  ///
  /// - Complexity: O(lines).
  public func line(nearest point: Point) -> Int? {
    var nearest: (distance: Double, lines: [Range<Int>]) = (.infinity, [])
    for block in blocks {
      let distance = block.element.area.squaredDistance(to: point)
      if distance < nearest.distance {
        nearest = (distance, [block.lines])
      } else if distance == nearest.distance {
        nearest.lines.append(block.lines)
      }
    }
    return nearest.lines.joined().min { separation($0, point) < separation($1, point) }
  }

  /// How far a point is from a line: across it, then along it, then from its middle.
  private func separation(_ line: Int, _ point: Point) -> (Double, Double, Double) {
    let (box, direction) = (lines[line].element.area.box, lines[line].ownDirection)
    let point = point.turned(back: lines[line].angle)
    let across = box.extent(across: direction)
    return (
      across.distance(to: point.place(across: direction)),
      box.extent(along: direction).distance(to: point.place(along: direction)),
      abs(across.middle - point.place(across: direction))
    )
  }

  /// The character nearest to a point: the scalars of a grapheme cluster; nil if there is no text.
  ///
  /// - Complexity: O(lines + scalars of the line).
  public func character(nearest point: Point) -> Range<Int>? {
    guard let line = line(nearest: point) else { return nil }
    let characters = characters(in: lines[line])
    let index = nearest(characters, lines[line], point)
    return index.map { characters[$0].scalars }
  }

  /// The part of the text that a point stands for in a selection; an empty range between
  /// characters.
  func part(at point: Point, _ unit: SelectionUnit) -> Range<Int>? {
    guard let index = line(nearest: point) else { return nil }
    let line = lines[index]
    switch unit {
    case .line: return line.element.scalars
    case .word:
      let words = Array(words[line.words])
      return nearest(words, line, point).map { words[$0].scalars } ?? line.element.scalars
    case .character:
      let characters = characters(in: line)
      guard let nearest = nearest(characters, line, point) else { return nil }
      let place =
        isBehind(characters, nearest, line, point)
        ? characters[nearest].scalars.upperBound : characters[nearest].scalars.lowerBound
      return place..<place
    }
  }

  /// The nearest of a line's elements, as an index; nil if there is none.
  private func nearest(_ elements: [TextElement], _ line: TextLine, _ point: Point) -> Int? {
    let point = point.turned(back: line.angle)
    let direction = line.ownDirection
    let place = point.place(along: direction)
    return elements.indices.min { first, second in
      func separation(_ index: Int) -> (Double, Double, Double) {
        let box = elements[index].area.box
        let extent = box.extent(along: direction)
        return (
          extent.distance(to: place), box.squaredDistance(to: point),
          abs(extent.middle - place)
        )
      }
      return separation(first) < separation(second)
    }
  }

  /// Whether a point is nearer to the end of a character than to its start.
  private func isBehind(
    _ characters: [TextElement],
    _ index: Int,
    _ line: TextLine,
    _ point: Point
  ) -> Bool {
    let direction = line.ownDirection
    let extent = characters[index].area.box.extent(along: direction)
    let isInUpperHalf = point.turned(back: line.angle).place(along: direction) > extent.middle
    return isInUpperHalf == isAscending(characters, index, line)
  }

  /// Whether coordinates increase in reading order at a character: in a line of Arabic, they decrease for letters and
  /// increase for digits. Determined by its neighbors in the same word, else by the line.
  private func isAscending(_ characters: [TextElement], _ index: Int, _ line: TextLine) -> Bool {
    let scalar = characters[index].scalars.lowerBound
    let direction = line.ownDirection
    let ofLine = direction == .right || direction == .down
    guard let word = words[line.words].first(where: { $0.scalars.contains(scalar) }) else {
      return ofLine
    }
    func middle(_ index: Int) -> Double? {
      guard characters.indices.contains(index),
        word.scalars.contains(characters[index].scalars.lowerBound),
        !characters[index].area.box.isPoint
      else { return nil }
      return characters[index].area.box.extent(along: direction).middle
    }
    guard let own = middle(index) else { return ofLine }
    if let next = middle(index + 1), next != own { return next > own }
    if let previous = middle(index - 1), previous != own { return own > previous }
    return ofLine
  }
}
