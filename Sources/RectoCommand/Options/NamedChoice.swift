package import ArgumentParser

/// A value of an option that is one of a few words.
package protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension NamedChoice {
  /// The words.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// The word.
  package var defaultValueDescription: String { rawValue }
}
