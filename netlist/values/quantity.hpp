// SPDX-License-Identifier: Apache-2.0
#pragma once

// Suffixes and units behind numbers, for cards, tables and options alike: the table in docs/netlist.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gridiron {

/// What a number measures; `anything` where only its use will tell, as in .param, `pure` where it has no unit.
enum class Quantity : uint8_t {
  anything,
  pure,
  current,
  voltage,
  resistance,
  capacitance,
  inductance,
  time,
  frequency,
  temperature,
  length,
  power,
  conductance,
};

/// Whose language a deck is written in. Suffixes differ in `x`, mega in HSPICE and nothing in ngspice, and in a bare
/// `a`, atto in HSPICE; where nobody says which, `x` is an error and `a` is ampere. docs/netlist.md lists what else
/// differs.
enum class Dialect : uint8_t { automatic, ngspice, hspice, pspice, ltspice, cdl, dspf };
inline constexpr size_t kDialects = 7;

/// "auto", "ngspice", "hspice", … Errors: InputError.
Dialect dialect_named(std::string_view name);
std::string_view name_of(Dialect dialect);

/// How letters were read that not all readers take alike.
enum class Reading : uint8_t {
  undisputed,
  ampere,           ///< a, A, amp … alone, which HSPICE takes for atto
  atto,             ///< aA, aF …, of which ngspice knows no suffix a
  atto_by_dialect,  ///< a bare a in HSPICE's way
  femto,            ///< F alone, which is no farad
  femto_farad,      ///< the same of a capacitance
  milli_hertz,      ///< mHz or MHz, which is no megahertz
  mil,              ///< mil, a thousandth of an inch
};
inline constexpr size_t kReadings = 8;

/// The numbers of a text that were not read as everybody would: per Reading, how many, and the first.
struct ReadingNotes {
  struct Note {
    int64_t count = 0;
    uint64_t offset = 0;  ///< of the letters
  };
  std::array<Note, kReadings> of{};

  void add(Reading reading, uint64_t offset) {
    if (reading == Reading::undisputed) return;
    Note& note = of[static_cast<size_t>(reading)];
    if (note.count++ == 0) note.offset = offset;
  }
};

/// What is wrong with the letters behind a number.
struct UnitError : std::runtime_error {
  using runtime_error::runtime_error;
};

struct Scaled {
  double value;
  Reading reading = Reading::undisputed;
};

/// The end of the letters at `first`: those of ASCII and bytes beyond it, then a point that ends the word (`1k.`).
const char* end_of_letters(const char* first, const char* last);

/// The end of the digits that may follow the letters from `letters` to `first`, as in LTspice's 4k7.
const char* end_of_digits_behind(const char* letters, const char* first, const char* last);

/// `digits` with the scale suffix of `letters` (any case: t g meg k m u µ n p f mil, and a before a unit), behind which
/// nothing or a unit of `quantity` may stand. Correctly rounded: 1n equals 1e-9. Errors: UnitError.
Scaled scaled(double digits, std::string_view letters, Quantity quantity, Dialect dialect = Dialect::automatic);

/// What the unit in `letters` measures, with or without a suffix before it; none if they hold no unit.
std::optional<Quantity> measured_by(std::string_view letters);

/// "a current": for messages.
std::string_view phrase_of(Quantity quantity);

/// The whole text of a field of a table, or of an option, as a quantity: 10uV, 50mV, 0.05. None for what is no number,
/// for another unit such as 50mA, and for letters that no unit has or that are disputed, x and a capital F alone.
std::optional<double> quantity(std::string_view text, Quantity what);

/// The same with how its letters were read.
std::optional<Scaled> scaled_quantity(std::string_view text, Quantity what);

/// What is told of so many numbers with `a` before a unit.
std::string atto_text(int64_t count);

/// Those of a table, or of options: how many, and where the first stands.
struct AttoNumbers {
  int64_t count = 0;
  std::string place;
};

/// The same of a text that must name its unit.
std::optional<double> quantity_with_unit(std::string_view text, Quantity what);

inline std::optional<double> volts(std::string_view text) { return quantity(text, Quantity::voltage); }
inline std::optional<double> amperes(std::string_view text) { return quantity(text, Quantity::current); }
inline std::optional<double> ohms(std::string_view text) { return quantity(text, Quantity::resistance); }
inline std::optional<double> seconds(std::string_view text) { return quantity(text, Quantity::time); }
inline std::optional<double> watts(std::string_view text) { return quantity(text, Quantity::power); }

/// Whether `text` begins with the digits of a number, whatever follows.
bool begins_with_number(std::string_view text);

/// Whether letters follow the digits of `text`, such as the unit that a limit must have.
bool has_letters(std::string_view text);

}  // namespace gridiron
