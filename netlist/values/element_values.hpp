// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "netlist/values/parameters.hpp"

namespace gridiron {

/// °C; the defaults are ngspice's.
struct Temperatures {
  double circuit = 27, nominal = 27;
};

/// `.model NAME R (…)`; NaN where it says nothing. Lengths in m.
struct ResistorModel {
  double tc1 = 0, tc2 = 0, tce = kUnset, tnom = kUnset, r = kUnset;
  double rsh = 0, l = 10e-6, w = 10e-6, narrow = 0, shortening = 0;
};

/// LTspice's, Ω and F: in series with an element, and in parallel with both; NaN where a card has none.
struct Parasitics {
  double rser = kUnset, rpar = kUnset, cpar = kUnset;

  bool any() const;
};
/// Errors: InputError, for a negative one, and for an Rpar of 0.
void require_possible(const Parasitics& values, const File& file, uint64_t offset);

/// Values of the R, C and L cards of one instance, by ngspice's formulas: value · scale · (1 + tc1 ΔT + tc2 ΔT²), M of
/// them in parallel. Internal to netlist/.
class ElementValues {
 public:
  ElementValues(Deck& deck, const Scope& scope, Parameters& parameters, const Temperatures& temperatures)
      : deck_(deck), scope_(scope), parameters_(parameters), temperatures_(temperatures) {}

  /// The value of a card at `offset` of `file` that gives `number` (NaN if it gives none), and its initial condition,
  /// NaN if it gives none. Errors: InputError.
  struct Value {
    double value, initial = kUnset;
    Parasitics parasitics = {};
    double copies = 1;  ///< in parallel, of which it is the value
  };
  Value evaluate(Kind kind, const Deferred& card, double number, const File& file, uint64_t offset);

 private:
  double model_factor(const ResistorModel& of_model, ast::Text name, const File& file, uint64_t offset);
  bool names_parameter(ast::Text word, const File& file, uint64_t offset);
  const ResistorModel& model(ast::Text name, const File& file, uint64_t offset);
  /// Whether an element with a value names what is no model; it is noted.
  bool is_no_model(Kind kind, ast::Text name, bool has_value, const File& file, uint64_t offset);

  Deck& deck_;
  const Scope& scope_;
  Parameters& parameters_;
  const Temperatures& temperatures_;
  std::map<const ModelCard*, ResistorModel> models_;
};

/// The value of `count` equal elements in parallel.
double in_parallel(Kind kind, double value, double count);
/// Makes of elements [first, last), the last ones of a circuit, what `count` equal instances have in parallel.
void put_in_parallel(Circuit& circuit, Kind kind, int64_t first, int64_t last, double count);

}  // namespace gridiron
