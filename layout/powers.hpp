// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/power_file.hpp"

namespace gridiron::layout {

/// What the components of a chip draw, by their index.
class Powers {
 public:
  explicit Powers(const Chip& chip);

  /// Powers of single instances (power_file.hpp). What a file says replaces what earlier ones have said. Errors:
  /// InputError with file:line:column.
  void read(const std::string& path);
  /// CSV: cell,power_w, for every component of that macro.
  void read_by_cell(const std::string& path, const Library& library);
  /// The same without files: names that the design lacks are counted. Errors: InputError (a number that is not finite).
  void set_watts(const std::string& instance, double watts);
  void set_watts_by_cell(const std::map<std::string, double>& watts, const Library& library);
  bool has_component(std::string_view name) const { return find(name) >= 0; }

  /// At this supply voltage, in A.
  double amperes(int64_t component, double volts) const { return watts_[component] / volts + own_amperes(component); }
  bool is_known(int64_t component) const { return known_[component] != 0; }
  bool draws(int64_t component) const { return watts_[component] != 0 || own_amperes(component) != 0; }
  bool draws_watts(int64_t component) const { return watts_[component] != 0; }
  bool feeds(int64_t component) const { return watts_[component] < 0 || own_amperes(component) < 0; }
  /// Whether anything has been said about any component.
  bool any() const { return any_; }
  /// Whether amperes() depends on the voltage.
  bool has_watts() const { return has_watts_; }

  /// Instances that a file tells more than one power of; the last one counts.
  int64_t repeated() const { return repeated_; }
  const std::vector<std::string>& first_repeated() const { return first_repeated_; }
  const std::string& repeated_place() const { return repeated_place_; }

  /// Instances and cells that the chip does not have.
  int64_t unknown() const { return unknown_; }
  const std::vector<std::string>& first_unknown() const { return first_unknown_; }
  /// Where the first of them stands; empty if in no file.
  const std::string& unknown_place() const { return unknown_place_; }

 private:
  /// Index of a component, −1 if there is none.
  int32_t find(std::string_view name) const;
  /// The same: fast if it is one of the next components after this one.
  int32_t find_after(int32_t component, std::string_view name) const;
  double own_amperes(int64_t component) const { return amperes_.empty() ? 0 : amperes_[component]; }
  void take(const PowersOfPiece& piece, const SourceText& source);
  void put(int64_t component, double watts, double amperes);
  /// Watts by macro, NaN where nothing is said.
  void put_by_macro(const std::vector<double>& watts);
  /// `place` tells where the name stands.
  template <class Place>
  void add_unknown(std::string_view name, Place&& place);

  const Chip& chip_;
  std::vector<double> watts_, amperes_;  ///< amperes_ is empty as long as all are 0
  std::vector<uint8_t> known_;
  std::vector<uint16_t> last_file_;  ///< that told the power of an instance, from 1 on
  uint16_t file_ = 0;
  int64_t repeated_ = 0;
  std::vector<std::string> first_repeated_;
  std::string repeated_place_;
  bool any_ = false, has_watts_ = false;
  int64_t unknown_ = 0;
  std::vector<std::string> first_unknown_;
  std::string unknown_place_;
};

}  // namespace gridiron::layout
