// SPDX-License-Identifier: Apache-2.0
#include "netlist/circuit.hpp"

#include <algorithm>

#include "netlist/grammar/primitives.hpp"

namespace gridiron {

const Elements& Circuit::elements(Kind kind) const {
  switch (kind) {
    case kResistor:
      return resistors;
    case kCapacitor:
      return capacitors;
    case kInductor:
      return inductors;
    case kVoltageSource:
      return voltage_sources;
    default:
      return current_sources;
  }
}

std::int64_t Circuit::element_count() const {
  std::int64_t count = 0;
  for (const Kind k : kEveryKind) count += elements(k).size();
  return count;
}

std::string_view Circuit::instance_path(Kind kind, std::int64_t index) const {
  const std::vector<InstanceMark>& marks = instances[kind];
  const auto after = std::ranges::upper_bound(marks, index, {}, &InstanceMark::first);
  return after == marks.begin() ? std::string_view() : std::string_view(std::prev(after)->path);
}

std::string_view Circuit::card_name(Origin origin) const {
  const std::string_view text = files[origin.file]->text().substr(origin.offset);
  std::size_t end = 0;
  while (end < text.size() && grammar::is_word_char(text[end])) ++end;
  return text.substr(0, end);
}

std::string Circuit::element_name(Kind kind, std::int64_t index) const {
  return std::string(instance_path(kind, index)).append(card_name(kind, index));
}

void Circuit::release_pages() const {
  for (const auto& file : files) file->release_pages();
}

std::string Circuit::place(Origin origin) const { return files[origin.file]->describe(origin.offset); }

}  // namespace gridiron
