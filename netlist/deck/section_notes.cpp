// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/section_notes.hpp"

#include <algorithm>
#include <utility>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/settings.hpp"

namespace gridiron {

void SectionNotes::add(ParsedChunk::Failure failure) {
  open_section();
  if (has_failure())
    ++chunk_.failures.back().count;
  else
    chunk_.failures.push_back(std::move(failure));
}

void SectionNotes::add(const Directive& directive, uint64_t offset) {
  open_section();
  std::vector<DirectiveCards>& all = chunk_.directives;
  const auto known = std::find_if(all.begin() + first_directive_, all.end(),
                                  [&](const DirectiveCards& d) { return d.directive == &directive; });
  if (known == all.end())
    all.push_back({&directive, offset, 1});
  else
    ++known->count;
}

void SectionNotes::add_option(ast::Text name, Fate fate, uint64_t offset) {
  open_section();
  std::vector<OptionUse>& all = chunk_.options;
  const auto [known, is_new] = options_.try_emplace(lower(name), all.size());
  if (is_new)
    all.push_back({known->first, fate, offset, 1});
  else
    ++all[known->second].count;
}

void SectionNotes::add_skipped(ParsedChunk::Failure card) {
  open_section();
  const bool is_first = std::ssize(chunk_.skipped) == first_skipped_;
  if (is_first || chunk_.skipped.size() < kMostSkipped)
    chunk_.skipped.push_back(std::move(card));
  else
    ++chunk_.skipped.back().count;
}

void SectionNotes::add_sign(Dialect dialect, uint64_t offset) {
  constexpr size_t kMostSigns = 20;  // as those of a part that is not read do not count
  if (chunk_.signs.size() < kMostSigns) chunk_.signs.push_back({dialect, offset});
}

double SectionNotes::measured(double digits, ast::Text letters, Quantity quantity, Dialect dialect, const char* text) {
  try {
    const auto [value, reading] = scaled(digits, letters, quantity, dialect);
    has_readings_ |= reading != Reading::undisputed;
    chunk_.readings.back().add(reading, static_cast<uint64_t>(letters.data() - text));
    return value;
  } catch (const UnitError& e) {
    throw CardError{letters.data(), e.what()};
  }
}

}  // namespace gridiron
