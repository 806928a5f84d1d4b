import PageLayout
import RectoGeometry
import Testing

/// Every configuration of a small world, against the plain layout.
@Suite struct SmallWorldTests {
  @Test(arguments: 0...7)
  func `nought to seven pages are right in every configuration`(pageCount: Int) throws {
    let portrait = Size(width: 600, height: 800)
    let landscape = Size(width: 900, height: 500)
    for mode in LayoutConfiguration.Mode.allCases {
      for spread: LayoutConfiguration.Spread in [
        .single, .double, .book, .columns(3, start: 0), .columns(3, start: 2),
      ] {
        for axis in LayoutConfiguration.Axis.allCases {
          for isRightToLeft in [false, true] {
            for fit in LayoutConfiguration.Fit.allCases {
              for rotation in [Rotation.none, .quarter] {
                // A single page is never wide for its neighbors.
                for wide in spread == .single ? [nil] : [nil, 1.2] {
                  var configuration = LayoutConfiguration()
                  configuration.mode = mode
                  configuration.spread = spread
                  configuration.axis = axis
                  configuration.isRightToLeft = isRightToLeft
                  configuration.fit = fit
                  configuration.rotation = rotation
                  configuration.pairing.wideRatio = wide
                  configuration.pageGap = 3
                  // Of the ways in which pages can be portrait, landscape or unmeasured, four.
                  for pattern in 0..<min(4, pow3(pageCount)) {
                    var measured: [MeasuredSize] = []
                    // Multiplied so that the part is not only about the first pages.
                    var rest = pattern * max(1, pow3(pageCount) / 4 | 1)
                    for page in Range(pageCount: pageCount) {
                      if rest % 3 > 0 {
                        measured.append(
                          MeasuredSize(page: page, size: rest % 3 == 1 ? portrait : landscape)
                        )
                      }
                      rest /= 3
                    }
                    let layout = try Layout(
                      configuration,
                      pages: PageSequence(pageCount: pageCount),
                      sizes: PageSizes(measured: measured),
                      viewport: Size(width: 1000, height: 700)
                    )
                    check(layout, pageCount)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func pow3(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * 3 }
  }

  private func check(_ layout: Layout, _ pageCount: Int) {
    let configuration = layout.configuration
    let context: String =
      "\(pageCount) pages, \(configuration.mode) \(configuration.spread) \(configuration.axis) "
      + "\(configuration.fit) \(configuration.rotation) rtl \(configuration.isRightToLeft)"
    if pageCount == 0 {
      #expect(layout.isEmpty && layout.spreadCount == 0 && layout.contentSize == .zero)
      #expect(layout.spreads(visibleIn: layout.window(at: .zero)).isEmpty)
      #expect(layout.anchor(at: .zero) == nil && layout.currentPage(in: .zero) == nil)
      return
    }
    guard configuration.mode == .carousel else {
      compareQuietly(layout, context)
      return
    }
    var plain = BruteForce(layout)
    let isBackwards = configuration.axis == .horizontal && configuration.isRightToLeft
    for progress in 0..<plain.spreads.count {
      let steps = isBackwards ? plain.spreads.count - 1 - progress : progress
      plain.turn(to: Double(progress), windowStart: Double(steps) * plain.carouselStep)
      let frames = layout.spread(progress)?.pages.map(\.frame) ?? []
      let expected = plain.spreads[progress].pages.map(\.frame)
      if frames.count != expected.count
        || !zip(frames, expected).allSatisfy({ isClose($0, $1, 1e4) })
      {
        Issue.record("\(context): spread \(progress): \(frames), plainly \(expected)")
      }
    }
  }

  /// As `compare`, without an expectation for each number: there are millions.
  private func compareQuietly(_ layout: Layout, _ context: String) {
    let plain = BruteForce(layout)
    guard layout.spreadCount == plain.spreads.count else {
      Issue.record("\(context): \(layout.spreadCount) spreads, plainly \(plain.spreads.count)")
      return
    }
    let size = layout.contentSize
    if !isClose(size.width, plain.contentSize.width)
      || !isClose(size.height, plain.contentSize.height)
    {
      Issue.record("\(context): \(size), plainly \(plain.contentSize)")
    }
    for (index, expected) in plain.spreads.enumerated() {
      let pages = layout.spread(index)?.pages ?? []
      let isSame =
        pages.map(\.position) == expected.pages.map(\.position)
        && zip(pages, expected.pages).allSatisfy {
          isClose($0.frame, $1.frame, 1e4) && isClose($0.scale, $1.scale)
        }
      if !isSame {
        Issue.record(
          "\(context): spread \(index): \(pages.map(\.frame)), plainly \(expected.pages.map(\.frame))"
        )
      }
    }
  }
}
