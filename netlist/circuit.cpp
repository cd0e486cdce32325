// SPDX-License-Identifier: Apache-2.0
#include "netlist/circuit.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "netlist/grammar/primitives.hpp"

namespace gridiron {

CardName::CardName(char letter, int64_t number) {
  room_[0] = letter;
  size_ = static_cast<size_t>(std::to_chars(room_ + 1, std::end(room_), number).ptr - room_);
}

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

int64_t Circuit::element_count() const {
  int64_t count = 0;
  for (const Kind k : kEveryKind) count += elements(k).size();
  return count;
}

void Circuit::add_element(Kind kind, NodeId a, NodeId b, double value, Origin origin, const std::string& path) {
  Elements& e = elements(kind);
  std::vector<InstanceMark>& marks = instances[kind];
  if (instance_path(kind, e.size()) != path) marks.push_back({e.size(), path});
  e.a.push_back(a);
  e.b.push_back(b);
  e.value.push_back(value);
  e.origin.push_back(origin);
  if (kind == kVoltageSource || kind == kCurrentSource) static_cast<Sources&>(e).waveform.push_back(-1);
}

double Circuit::copies_of(int64_t resistor) const {
  if (copies.empty()) return 1;
  const auto entry = std::ranges::lower_bound(copies, resistor, {}, &Copies::resistor);
  return entry != copies.end() && entry->resistor == resistor ? entry->count : 1;
}

std::string_view Circuit::instance_path(Kind kind, int64_t index) const {
  const std::vector<InstanceMark>& marks = instances[kind];
  const auto after = std::ranges::upper_bound(marks, index, {}, &InstanceMark::first);
  return after == marks.begin() ? std::string_view() : std::string_view(std::prev(after)->path);
}

CardName Circuit::card_name(Kind kind, int64_t index) const {
  constexpr char kLetters[] = {'R', 'C', 'L', 'V', 'I'};
  if (!made_names) return CardName(card_name(elements(kind).origin[index]));
  return {kLetters[kind], kind == kCurrentSource ? made_names->number(index) : index};
}

std::string_view Circuit::card_name(Origin origin) const {
  const std::string_view text = files[origin.file]->text().substr(origin.offset);
  size_t end = 0;
  while (end < text.size() && grammar::is_word_char(text[end])) ++end;
  return text.substr(0, end);
}

std::string Circuit::element_name(Kind kind, int64_t index) const {
  return std::string(instance_path(kind, index)).append(card_name(kind, index).view());
}

std::string Circuit::element_name(const ControlledSource& source) const {
  return source.path + std::string(card_name(source.origin));
}

void Circuit::release_pages() const {
  for (const auto& file : files) file->release_pages();
}

std::string Circuit::place(Origin origin) const { return files[origin.file]->describe(origin.offset); }

}  // namespace gridiron
