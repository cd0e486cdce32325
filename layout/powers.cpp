// SPDX-License-Identifier: Apache-2.0
#include "layout/powers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "layout/power_file.hpp"
#include "layout/tokens.hpp"
#include "netlist/source_text.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

constexpr size_t kFirst = PowersOfPiece::kFirst;

void require_finite(const char* option, const std::string& name, double watts) {
  if (!std::isfinite(watts))
    throw InputError(fmt::format("{} {}: expected a finite number of watts, not {}", field(option), name, watts));
}

}  // namespace

Powers::Powers(const Chip& chip) : chip_(chip) {
  const int64_t n = chip.components.size();
  assign_in_parallel(watts_, n);
  assign_in_parallel(known_, n);
  assign_in_parallel(last_file_, n);
}

void Powers::read(const std::string& path) {
  const auto source = SourceText::open(path);
  ++file_;
  read_power_file(
      *source, [this](std::string_view name, int32_t last) { return find_after(last, name); },
      [&](const PowersOfPiece& piece) { take(piece, *source); });
}

void Powers::take(const PowersOfPiece& piece, const SourceText& source) {
  for (const auto& [component, watts, amperes, offset] : piece.instances) {
    if (last_file_[component] == file_) {
      if (repeated_++ == 0) repeated_place_ = source.describe(offset);
      if (first_repeated_.size() < kFirst) first_repeated_.emplace_back(chip_.components.name[component]);
    }
    last_file_[component] = file_;
    put(component, watts, amperes);
  }
  for (const std::string& name : piece.unknown)
    add_unknown(name, [&] { return source.describe(piece.unknown_offset); });
  unknown_ += piece.unknown_count - std::ssize(piece.unknown);
}

void Powers::read_by_cell(const std::string& path, const Library& library) {
  const auto source = SourceText::open(path);
  std::vector<double> of_macro(library.macros.size(), std::nan(""));
  read_cell_powers(*source, [&](std::string_view name, double value, size_t offset) {
    const int32_t macro = library.macro(name);
    macro >= 0 ? void(of_macro[macro] = value) : add_unknown(name, [&] { return source->describe(offset); });
  });
  put_by_macro(of_macro);
}

void Powers::set_watts(const std::string& instance, double watts) {
  require_finite("power", instance, watts);
  const int64_t component = find(instance);
  component >= 0 ? put(component, watts, 0) : add_unknown(instance, [] { return ""; });
}

void Powers::set_watts_by_cell(const std::map<std::string, double>& watts, const Library& library) {
  std::vector<double> of_macro(library.macros.size(), std::nan(""));
  for (const auto& [cell, value] : watts) {
    require_finite("power_by_cell", cell, value);
    const int32_t macro = library.macro(cell);
    macro >= 0 ? void(of_macro[macro] = value) : add_unknown(cell, [] { return ""; });
  }
  put_by_macro(of_macro);
}

int32_t Powers::find(std::string_view name) const {
  const int32_t component = chip_.component(name);
  if (component >= 0 || name.find('\\') == std::string_view::npos) return component;
  return chip_.component(plain_name(name));
}

/// No two components have one name.
int32_t Powers::find_after(int32_t component, std::string_view name) const {
  constexpr int64_t kNext = 4;
  const int64_t last = std::min(chip_.components.size() - 1, component + kNext);
  for (int64_t next = component + 1; next <= last; ++next)
    if (chip_.components.name[next] == name) return static_cast<int32_t>(next);
  return find(name);
}

template <class Place>
void Powers::add_unknown(std::string_view name, Place&& place) {
  if (unknown_++ == 0) unknown_place_ = place();
  if (first_unknown_.size() < kFirst) first_unknown_.emplace_back(name);
}

void Powers::put_by_macro(const std::vector<double>& watts) {
  for (int64_t i = 0; i < chip_.components.size(); ++i)
    if (const double value = watts[chip_.components.macro[i]]; !std::isnan(value)) put(i, value, 0);
}

void Powers::put(int64_t component, double watts, double amperes) {
  watts_[component] = watts;
  if (amperes != 0 && amperes_.empty()) assign_in_parallel(amperes_, std::ssize(watts_));
  if (!amperes_.empty()) amperes_[component] = amperes;
  known_[component] = 1;
  any_ = true;
  has_watts_ = has_watts_ || watts != 0;
}

}  // namespace gridiron::layout
