// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/unknown_name.hpp"

#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr int64_t kMostSearched = 300'000;

/// Among those from `first` to `end`.
UnknownName unknown(std::string_view name, int64_t first, int64_t end, auto name_of, const std::string& message,
                    const std::string& more) {
  std::string nearest;
  size_t least = std::string::npos;
  for (int64_t i = first; i < end && end <= kMostSearched; ++i) {
    const std::string other = name_of(i);
    if (const size_t letters = letters_apart(name, other); letters < least) {
      least = letters;
      nearest = other;
    }
  }
  return {message + (nearest.empty() ? "" : "; the nearest is " + nearest) + more, name, nearest};
}

}  // namespace

UnknownName unknown_node(const Circuit& circuit, std::string_view name, const std::string& message,
                         const std::string& more) {
  const auto name_of = [&](int64_t n) { return std::string(circuit.node_name(static_cast<NodeId>(n)).view()); };
  return unknown(name, kGround + 1, circuit.node_count(), name_of, message, more);
}

UnknownName unknown_element(const Circuit& circuit, Kind kind, std::string_view name, const std::string& message,
                            const std::string& more) {
  const auto name_of = [&](int64_t i) { return circuit.element_name(kind, i); };
  return unknown(name, 0, circuit.elements(kind).size(), name_of, message, more);
}

}  // namespace gridiron
