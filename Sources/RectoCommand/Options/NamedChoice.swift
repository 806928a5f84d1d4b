package import ArgumentParser

/// A value of an option that is one of a few words.
///
/// The parser's own description of the words looks up conformances of each type at every start: a tenth of the time of
/// a cached window.
package protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension NamedChoice {
  /// The words.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// The word.
  package var defaultValueDescription: String { rawValue }
}
