// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/loads.hpp"

#include <fmt/format.h>

#include "support/error.hpp"

namespace gridiron {
namespace {

std::int64_t find_source(const Design& design, std::string_view name) {
  const std::int64_t source = design.find_element(kCurrentSource, name);
  if (source < 0) throw InputError(fmt::format("load {}: the netlist has no current source of that name", name));
  return source;
}

}  // namespace

Loads::Loads(const Design& design, std::int64_t vectors)
    : sources_(design.circuit->current_sources.size()), vectors_(vectors) {
  const std::vector<double>& deck = design.circuit->current_sources.value;
  amperes_.reserve(first(vectors));
  for (std::int64_t v = 0; v < vectors; ++v) amperes_.insert(amperes_.end(), deck.begin(), deck.end());
}

Loads::Loads(const Design& design, const LoadTable& table) : Loads(design, table.vectors) {
  const std::size_t named = table.names.size();
  std::vector<std::size_t> source;
  source.reserve(named);
  for (const std::string& name : table.names) source.push_back(static_cast<std::size_t>(find_source(design, name)));
  for (std::int64_t v = 0; v < table.vectors; ++v)
    for (std::size_t i = 0; i < named; ++i)
      amperes_[first(v) + source[i]] = table.amperes[static_cast<std::size_t>(v) * named + i];
}

Loads Loads::part(std::int64_t begin, std::int64_t count) const {
  Loads some = *this;
  some.vectors_ = count;
  some.amperes_.assign(amperes_.begin() + static_cast<std::ptrdiff_t>(first(begin)),
                       amperes_.begin() + static_cast<std::ptrdiff_t>(first(begin + count)));
  return some;
}

void Loads::set(const Design& design, std::string_view source, double amperes, std::int64_t v) {
  vector(v)[static_cast<std::size_t>(find_source(design, source))] = amperes;
}

void Loads::set_at_node(const Design& design, std::string_view node, double amperes, std::int64_t v) {
  const NodeId id = design.find_node(node);
  if (id < 0) throw InputError(fmt::format("load at {}: the netlist has no node of that name", node));
  const Sources& sources = design.circuit->current_sources;
  const std::span<double> values = vector(v);
  double drawn = 0;
  for (std::int64_t i = 0; i < sources_; ++i) drawn += values[i] * ((sources.a[i] == id) - (sources.b[i] == id));
  if (drawn == 0) throw InputError(fmt::format("load at {}: there is no load there to scale", node));
  for (std::int64_t i = 0; i < sources_; ++i)
    if (sources.a[i] == id || sources.b[i] == id) values[i] *= amperes / drawn;
}

void Loads::set_instance(const Design& design, std::string_view instance, double amperes, std::int64_t v) {
  for (const char* side : {"_v", "_g"}) set(design, std::string(instance) + side, amperes, v);
}

}  // namespace gridiron
