package import ArgumentParser

/// A value of an option that is one of a few words.
///
/// The parser would describe each of the words by what its type conforms to, which it looks up again for each type
/// whenever the command starts: a tenth of a cached window.
package protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension NamedChoice {
  /// The words.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// The word.
  package var defaultValueDescription: String { rawValue }
}
