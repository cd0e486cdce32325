// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "netlist/values/spice_number.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct Unit {
  std::string_view name;
  Quantity quantity;
};
constexpr Unit kUnits[] = {
    {"a", Quantity::current},
    {"amp", Quantity::current},
    {"amps", Quantity::current},
    {"ampere", Quantity::current},
    {"amperes", Quantity::current},
    {"v", Quantity::voltage},
    {"volt", Quantity::voltage},
    {"volts", Quantity::voltage},
    {"ohm", Quantity::resistance},
    {"ohms", Quantity::resistance},
    {"f", Quantity::capacitance},
    {"farad", Quantity::capacitance},
    {"farads", Quantity::capacitance},
    {"h", Quantity::inductance},
    {"henry", Quantity::inductance},
    {"henrys", Quantity::inductance},
    {"henries", Quantity::inductance},
    {"s", Quantity::time},
    {"sec", Quantity::time},
    {"second", Quantity::time},
    {"seconds", Quantity::time},
    {"hz", Quantity::frequency},
    {"hertz", Quantity::frequency},
    {"c", Quantity::temperature},
    {"degc", Quantity::temperature},
    {"m", Quantity::length},
    {"meter", Quantity::length},
    {"meters", Quantity::length},
    {"metre", Quantity::length},
    {"metres", Quantity::length},
    {"w", Quantity::power},
    {"watt", Quantity::power},
    {"watts", Quantity::power},
    {"siemens", Quantity::conductance},
};

struct Name {
  Quantity quantity;
  std::string_view phrase, unit;
};
constexpr Name kNames[] = {
    {Quantity::anything, "a value", "a unit of SPICE"},
    {Quantity::pure, "a number without unit", "no unit"},
    {Quantity::current, "a current", "A"},
    {Quantity::voltage, "a voltage", "V"},
    {Quantity::resistance, "a resistance", "ohm"},
    {Quantity::capacitance, "a capacitance", "F"},
    {Quantity::inductance, "an inductance", "H"},
    {Quantity::time, "a time", "s"},
    {Quantity::frequency, "a frequency", "Hz"},
    {Quantity::temperature, "a temperature in °C", "C"},
    {Quantity::length, "a length", "m"},
    {Quantity::power, "a power", "W"},
    {Quantity::conductance, "a conductance", "S"},
};

const Name& name_of(Quantity quantity) { return kNames[static_cast<size_t>(quantity)]; }

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool has_digit(std::string_view letters) { return std::ranges::any_of(letters, is_ascii_digit); }
bool is_beyond_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }

/// In lower case, with µ, Ω and ° (UTF-8, the first and last also Latin-1) as u, ohm and deg, without a final point.
std::string normalised(std::string_view letters) {
  struct Sign {
    std::string_view bytes, word;
  };
  static constexpr Sign kSigns[] = {{"\xc2\xb5", "u"},   {"\xce\xbc", "u"},   {"\xe2\x84\xa6", "ohm"},
                                    {"\xce\xa9", "ohm"}, {"\xc2\xb0", "deg"}, {"\xb5", "u"},
                                    {"\xb0", "deg"}};
  if (letters.ends_with('.')) letters.remove_suffix(1);
  std::string out;
  while (!letters.empty()) {
    const auto sign =
        std::find_if(std::begin(kSigns), std::end(kSigns), [&](const Sign& s) { return letters.starts_with(s.bytes); });
    if (sign != std::end(kSigns)) {
      out += sign->word;
      letters.remove_prefix(sign->bytes.size());
    } else {
      const char c = letters.front();
      out += is_ascii_letter(c) ? static_cast<char>(c | 0x20) : c;
      letters.remove_prefix(1);
    }
  }
  return out;
}

/// PSpice writes what a source is for behind its unit, as in 1Vdc and 2mAac.
void remove_kind_of_source(std::string& word) {
  const size_t n = word.size();
  const bool has_kind = n > 2 && word.back() == 'c' && (word[n - 2] == 'd' || word[n - 2] == 'a');
  if (has_kind && (word[n - 3] == 'v' || word[n - 3] == 'a')) word.resize(n - 2);
}

/// LTspice's 4k7 is 4.7k: `digits` with those behind the suffix, which `letters` then ends with.
double with_digits_behind(double digits, std::string_view& letters) {
  const size_t suffix = letters.find_first_of("0123456789");
  const std::string_view behind = letters.substr(suffix);
  double power = 1, all = std::abs(digits);  // the quotient of two exact numbers is correctly rounded
  for (const char c : behind) power *= 10, all = 10 * all + (c - '0');
  double value = std::copysign(all / power, digits);
  if (all > 9e15 || power > 1e22 || !std::ranges::all_of(behind, is_ascii_digit)) {
    const std::string text = fmt::format("{}.{}", digits, behind);
    const char* const end = parse_decimal(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) value = NAN;
  }
  if (std::isnan(value) || std::trunc(digits) != digits || std::abs(digits) > 1e15)
    throw UnitError(fmt::format("'{}' is no suffix of a number", letters));
  letters = letters.substr(0, suffix);
  return value;
}

std::optional<Quantity> unit_named(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (unit.name == name) return unit.quantity;
  return std::nullopt;
}

/// A power of ten applied so that the result is correctly rounded, as a division where that is exact.
struct Factor {
  double times = 1, over = 1;

  double of(double digits) const { return digits * times / over; }
};

struct Suffix {
  Factor factor;
  size_t length;
};

Suffix suffix_of(std::string_view word) {
  if (word.starts_with("meg")) return {{1e6, 1}, 3};
  if (word.starts_with("mil")) return {{25.4e-6, 1}, 3};
  if (word.empty()) return {{}, 0};
  switch (word.front()) {
    case 't':
      return {{1e12, 1}, 1};
    case 'g':
      return {{1e9, 1}, 1};
    case 'k':
      return {{1e3, 1}, 1};
    case 'm':
      return {{1, 1e3}, 1};
    case 'u':
      return {{1, 1e6}, 1};
    case 'n':
      return {{1, 1e9}, 1};
    case 'p':
      return {{1, 1e12}, 1};
    case 'f':
      return {{1, 1e15}, 1};
    default:
      return {{}, 0};
  }
}

constexpr std::array<std::string_view, kDialects> kDialectNames = {"auto",    "ngspice", "hspice", "pspice",
                                                                   "ltspice", "cdl",     "dspf"};

constexpr Factor kAtto = {1, 1e18};

/// A suffix of one letter alone, as nearly all letters are, which means the same to everybody.
bool is_usual_suffix(std::string_view letters) {
  return letters.size() == 1 && std::string_view("tgkmunp").find(static_cast<char>(letters[0] | 0x20)) != letters.npos;
}

[[noreturn]] void fail_unit(std::string_view letters, Quantity expected) {
  const std::string_view unit = name_of(expected).unit;
  throw UnitError(fmt::format("'{}' is no unit of {}; write {}", letters, name_of(expected).phrase,
                              expected == Quantity::pure       ? "the number alone or with a suffix like k or m"
                              : expected == Quantity::anything ? "a unit of SPICE, like V or A, or nothing"
                                                               : fmt::format("{} or nothing", unit)));
}

/// What the letters of a number mean: how they scale it, the unit behind, and who would read them differently.
struct Meaning {
  Factor factor;
  std::optional<Quantity> unit;
  Reading reading = Reading::undisputed;
};

Meaning meaning_of(std::string_view letters, const std::string& word, Quantity quantity, Dialect dialect) {
  const auto unit = [&](std::string_view rest) -> std::optional<Quantity> {
    if (rest.empty()) return std::nullopt;
    const std::optional<Quantity> named = unit_named(rest);
    if (!named) fail_unit(letters, quantity);
    return named;
  };
  if (word.front() == 'a') {
    if (unit_named(word) == Quantity::current) {
      if (dialect != Dialect::hspice && dialect != Dialect::ngspice && quantity == Quantity::capacitance && word == "a")
        throw UnitError(fmt::format("'{}' is ampere, and atto to HSPICE only; write e-18, or say so with {}", letters,
                                    field("dialect")));
      if (dialect == Dialect::hspice) return {kAtto, std::nullopt, Reading::atto_by_dialect};
      return {{}, Quantity::current, Reading::ampere};
    }
    return {kAtto, unit(std::string_view(word).substr(1)), Reading::atto};
  }
  if (word.front() == 'x' && (word.size() == 1 || unit_named(std::string_view(word).substr(1)))) {
    if (dialect != Dialect::hspice && dialect != Dialect::ngspice)
      throw UnitError(fmt::format("'{}' is mega in HSPICE and nothing in ngspice; write meg, or say which with {}",
                                  letters, field("dialect")));
    return {dialect == Dialect::hspice ? Factor{1e6, 1} : Factor{}, unit(std::string_view(word).substr(1))};
  }
  const Suffix suffix = suffix_of(word);
  const std::optional<Quantity> named = unit(std::string_view(word).substr(suffix.length));
  if (named == Quantity::frequency && word.front() == 'm' && suffix.length == 1)
    return {suffix.factor, named, Reading::milli_hertz};
  if (word.starts_with("mil")) return {suffix.factor, named, Reading::mil};
  return {suffix.factor, named,
          letters != "F"                      ? Reading::undisputed
          : quantity == Quantity::capacitance ? Reading::femto_farad
                                              : Reading::femto};
}

}  // namespace

const char* end_of_digits_behind(const char* letters, const char* first, const char* last) {
  if (first == letters || first == last || !is_ascii_digit(*first)) return first;
  while (first != last && is_ascii_digit(*first)) ++first;
  return first;
}

Dialect dialect_named(std::string_view name) {
  const auto found = std::ranges::find(kDialectNames, name);
  if (found == kDialectNames.end())
    throw field_error("dialect", "{}: expected {}", name, fmt::join(kDialectNames, ", "));
  return static_cast<Dialect>(found - kDialectNames.begin());
}

std::string_view name_of(Dialect dialect) { return kDialectNames[static_cast<size_t>(dialect)]; }

const char* end_of_letters(const char* first, const char* last) {
  const char* const begin = first;
  while (first != last && (is_ascii_letter(*first) || is_beyond_ascii(*first))) ++first;
  if (first == begin || first == last || *first != '.') return first;
  const bool ends_word = first + 1 == last || !(is_ascii_letter(first[1]) || is_beyond_ascii(first[1]) ||
                                                (first[1] >= '0' && first[1] <= '9') || first[1] == '.');
  return ends_word ? first + 1 : first;
}

Scaled scaled(double digits, std::string_view letters, Quantity quantity, Dialect dialect) {
  if (letters.empty()) return {digits};
  if (is_usual_suffix(letters) && quantity != Quantity::temperature) {
    const char suffix = static_cast<char>(letters[0] | 0x20);
    if (const double value = suffix_of({&suffix, 1}).factor.of(digits); std::isfinite(value)) return {value};
  }
  if (has_digit(letters)) {
    if (dialect != Dialect::ltspice) {
      scaled(digits, letters, quantity, Dialect::ltspice);  // which may refuse it, too
      throw UnitError(
          fmt::format("'{}' is no suffix of a number: digits behind one, as in 4k7 for 4.7k, are LTspice's", letters));
    }
    digits = with_digits_behind(digits, letters);
    return scaled(digits, letters, quantity, dialect);
  }
  std::string word = normalised(letters);
  if (word.empty()) return {digits};
  if (dialect == Dialect::pspice) remove_kind_of_source(word);
  const Meaning meaning = meaning_of(letters, word, quantity, dialect);
  if (meaning.unit && quantity != Quantity::anything && meaning.unit != quantity) fail_unit(letters, quantity);
  if (meaning.unit == Quantity::power && quantity == Quantity::anything) fail_unit(letters, quantity);
  if (meaning.reading == Reading::atto && dialect == Dialect::ngspice)
    throw UnitError(fmt::format("'{}' is atto, a suffix that ngspice does not have; write e-18", letters));
  const bool is_scaled = meaning.factor.times != 1 || meaning.factor.over != 1;
  if (is_scaled && quantity == Quantity::temperature) fail_unit(letters, quantity);
  const double value = meaning.factor.of(digits);
  if (!std::isfinite(value)) throw UnitError(fmt::format("'{}' makes it larger than a number can be", letters));
  return {value, meaning.reading};
}

std::optional<Quantity> measured_by(std::string_view letters) {
  std::string word = normalised(letters);
  if (word.empty()) return std::nullopt;
  remove_kind_of_source(word);
  try {
    return meaning_of(letters, word, Quantity::anything, Dialect::ngspice).unit;
  } catch (const UnitError&) {
    return std::nullopt;
  }
}

std::string_view phrase_of(Quantity quantity) { return name_of(quantity).phrase; }

std::string atto_text(int64_t count) {
  return fmt::format("a before a unit is atto, 1e-18{}; ngspice has no such suffix",
                     count > 1 ? fmt::format(" ({} numbers)", count) : "");
}

std::optional<double> quantity(std::string_view text, Quantity what) {
  const std::optional<Scaled> number = scaled_quantity(text, what);
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<Scaled> scaled_quantity(std::string_view text, Quantity what) {
  double digits = 0;
  const char* const last = text.data() + text.size();
  const char* const letters = parse_decimal(text.data(), last, digits);
  if (!letters || end_of_letters(letters, last) != last) return std::nullopt;
  try {
    const Scaled number = scaled(digits, {letters, last}, what);
    if (number.reading == Reading::femto || number.reading == Reading::milli_hertz) return std::nullopt;
    return number;
  } catch (const UnitError&) {
    return std::nullopt;
  }
}

std::optional<double> quantity_with_unit(std::string_view text, Quantity what) {
  double digits = 0;
  const char* const last = text.data() + text.size();
  const char* const letters = parse_decimal(text.data(), last, digits);
  return letters && measured_by({letters, last}) == what ? quantity(text, what) : std::nullopt;
}

bool begins_with_number(std::string_view text) {
  double digits = 0;
  return parse_decimal(text.data(), text.data() + text.size(), digits) != nullptr;
}

bool has_letters(std::string_view text) {
  double digits = 0;
  const char* const last = text.data() + text.size();
  const char* const letters = parse_decimal(text.data(), last, digits);
  return letters && letters != last;
}

}  // namespace gridiron
