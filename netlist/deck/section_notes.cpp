// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/section_notes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

void SectionNotes::begin_section() {
  first_directive_ = std::ssize(chunk_.directives);
  first_option_ = std::ssize(chunk_.options);
  chunk_.readings.emplace_back();
  first_failure_ = std::ssize(chunk_.failures);
}

void SectionNotes::add(ParsedChunk::Failure failure) {
  if (std::ssize(chunk_.failures) == first_failure_) chunk_.failures.push_back(std::move(failure));
}

void SectionNotes::add(const Directive& directive, uint64_t offset) {
  std::vector<DirectiveCards>& all = chunk_.directives;
  const auto known = std::find_if(all.begin() + first_directive_, all.end(),
                                  [&](const DirectiveCards& d) { return d.directive == &directive; });
  if (known == all.end())
    all.push_back({&directive, offset, 1});
  else
    ++known->count;
}

void SectionNotes::add_option(ast::Text name, Fate fate, uint64_t offset) {
  std::vector<OptionUse>& all = chunk_.options;
  const auto known =
      std::find_if(all.begin() + first_option_, all.end(), [&](const OptionUse& o) { return same_name(o.name, name); });
  if (known == all.end())
    all.push_back({lower(name), fate, offset, 1});
  else
    ++known->count;
}

}  // namespace gridiron
