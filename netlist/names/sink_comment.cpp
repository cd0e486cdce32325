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

/// The pin of an instance that one of the nodes of a current source is, as comments of an extracted deck tell.
SinkName pin_of(const Circuit& circuit, int64_t current_source) {
  if (!circuit.placement) return {};
  const std::vector<Placement::Pin>& pins = circuit.placement->pins;
  for (const NodeId node : {circuit.current_sources.a[current_source], circuit.current_sources.b[current_source]}) {
    const auto pin = std::ranges::lower_bound(pins, node, {}, &Placement::Pin::node);
    if (pin != pins.end() && pin->node == node) return {std::string(pin->instance), std::string(pin->pin)};
  }
  return {};
}

}  // namespace

SinkName sink_name(const Circuit& circuit, int64_t current_source) {
  if (circuit.made_names) {
    const MadeNames::Sink sink = circuit.made_names->sink(current_source);
    return {std::string(sink.instance), std::string(sink.terminal)};
  }
  const Origin origin = circuit.current_sources.origin[current_source];
  std::string_view line = line_before(circuit.files[origin.file]->text(), origin.offset);
  if (!take("*", line) || !take("Sink ", line) || !take("for ", line)) return pin_of(circuit, current_source);
  line = trimmed(line);
  const size_t slash = line.rfind('/');
  const std::string path(circuit.instance_path(kCurrentSource, current_source));
  if (slash == std::string_view::npos || slash == 0) return {path + std::string(line), ""};
  return {path + std::string(line.substr(0, slash)), std::string(line.substr(slash + 1))};
}

}  // namespace gridiron
