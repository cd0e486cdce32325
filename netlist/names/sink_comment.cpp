// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/sink_comment.hpp"

#include <algorithm>
#include <string_view>

#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The line before the one that `offset` is in.
std::string_view line_before(std::string_view text, size_t offset) {
  const size_t end = text.substr(0, offset).rfind('\n');
  if (end == std::string_view::npos) return "";
  const size_t begin = text.substr(0, end).rfind('\n') + 1;  // npos + 1 == 0
  return text.substr(begin, end - begin);
}

/// Takes a word off the front; false if `text` begins with another one.
bool take(std::string_view word, std::string_view& text) {
  text = trimmed(text);
  if (text.size() <= word.size() || !same_name(text.substr(0, word.size()), word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Null if the node is none.
const Placement::Pin* pin_at(const Circuit& circuit, NodeId node) {
  const std::vector<Placement::Pin>& pins = circuit.placement->pins;
  const auto pin = std::ranges::lower_bound(pins, node, {}, &Placement::Pin::node);
  return pin != pins.end() && pin->node == node ? &*pin : nullptr;
}

}  // namespace

SinkName pin_name(const Circuit& circuit, int64_t current_source) {
  if (!circuit.placement) return {};
  const Placement::Pin* const a = pin_at(circuit, circuit.current_sources.a[current_source]);
  const Placement::Pin* const b = pin_at(circuit, circuit.current_sources.b[current_source]);
  if (a && b) return same_name(a->instance, b->instance) ? SinkName{std::string(a->instance), ""} : SinkName{};
  const Placement::Pin* const only = a ? a : b;
  return only ? SinkName{std::string(only->instance), std::string(only->pin)} : SinkName{};
}

SinkName sink_name(const Circuit& circuit, int64_t current_source) {
  if (circuit.made_names) {
    const MadeNames::Sink sink = circuit.made_names->sink(current_source);
    return {std::string(sink.instance), std::string(sink.terminal)};
  }
  const Origin origin = circuit.current_sources.origin[current_source];
  std::string_view line = line_before(circuit.files[origin.file]->text(), origin.offset);
  if (!take("*", line) || !take("Sink ", line) || !take("for ", line)) return pin_name(circuit, current_source);
  line = trimmed(line);
  const size_t slash = line.rfind('/');
  const std::string path(circuit.instance_path(kCurrentSource, current_source));
  if (slash == std::string_view::npos || slash == 0) return {path + std::string(line), ""};
  return {path + std::string(line.substr(0, slash)), std::string(line.substr(slash + 1))};
}

}  // namespace gridiron
