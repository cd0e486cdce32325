// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// Which current a rule of electromigration limits.
enum class EmKind : uint8_t { average, rms, peak };
inline constexpr std::array<std::string_view, 3> kEmKinds = {"average", "rms", "peak"};
inline std::string_view name_of(EmKind kind) { return kEmKinds[static_cast<size_t>(kind)]; }

/// What a limit is for each of: µm of a wire's width, cuts of a via, or µm² of their area.
enum class EmUnit : uint8_t { per_um, per_cut, per_um2 };
inline constexpr std::array<std::string_view, 3> kEmUnits = {"a_per_um", "a_per_cut", "a_per_um2"};
inline std::string_view name_of(EmUnit unit) { return kEmUnits[static_cast<size_t>(unit)]; }

/// Numbers from `low` on, below `high`.
struct EmRange {
  double low = 0, high = HUGE_VAL;
  bool has(double value) const { return value >= low && value < high; }
  bool is_all() const { return low <= 0 && high == HUGE_VAL; }
  bool meets(const EmRange& other) const { return low < other.high && other.low < high; }
  friend bool operator==(const EmRange&, const EmRange&) = default;
};

/// A limit on the current of wires or vias of a layer, as a file has it.
struct EmRule {
  std::string layer;  ///< of metal, a cut layer of LEF, or "M1-M2" for what joins two layers
  EmKind kind = EmKind::average;
  std::optional<EmUnit> unit;  ///< none: that of a cut layer of LEF, whose numbers may be meant in two ways
  EmRange width_um, length_um;
  std::string cut_class;  ///< empty: cuts of any
  /// The limit, A by unit, for each frequency at each size; one of none at all. Sizes are µm of width, or µm² of a cut.
  std::vector<double> frequencies_hz, sizes, limits;
  std::string statement;                ///< of LEF; rules of several statements hold side by side
  std::optional<double> temperature_c;  ///< that it is for, if that is told
  std::string place;                    ///< "rules.csv:2:1"
  std::string fault;                    ///< what is wrong with it, of LEF, most of which is read for other reasons
};

/// Reads a CSV file whose header names the columns: layer, kind, and one of a_per_um, a_per_cut and a_per_um2 at least;
/// width_min_um, width_max_um, length_min_um, length_max_um, cut_class, frequency_mhz and temperature_c may be among
/// them. Rows that differ in frequency alone make one rule. Errors: InputError that says where, what is wrong, and what
/// to do.
std::vector<EmRule> read_em_rules(const std::string& path);

/// Whether there are currents that both rules are for, at one temperature.
bool are_rivals(const EmRule& a, const EmRule& b);

}  // namespace gridiron
