// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/instance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/settings.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr int kDeepestInstance = 100;
constexpr size_t kBytesPerCard = 40;  // in addition to the path of its instance

size_t element_count(const Piece& p) {
  int64_t count = 0;
  for (const Kind k : kEveryKind) count += p.end[k] - p.begin[k];
  return static_cast<size_t>(count);
}

/// ngspice takes the last of several values, other programs may take the first.
void require_each_once(const Use& use, const File& file) {
  std::set<std::string> names;
  for (const ast::Assignment& a : use.card.parameters)
    if (!names.insert(lower(a.name)).second)
      file.fail(a.name, use.offset, fmt::format("a second value of {}; remove one", a.name));
}

}  // namespace

void require_fitting(const Deck& deck, const Use& use, const Scope& definition, const std::string& path, int depth,
                     size_t& room) {
  const auto fail = [&](const std::string& message) { deck.files[use.file].fail(use.offset, message); };
  const ast::Text wanted = use.card.words.back();
  const size_t nodes = use.card.words.size() - 1;
  if (nodes != definition.ports.size())
    fail(fmt::format("subcircuit '{}' has {}, got {}", wanted, counted(std::ssize(definition.ports), "port"),
                     counted(nodes, "node")));
  if (depth > kDeepestInstance)
    fail(fmt::format("subcircuits nested more than {} deep; does '{}' contain itself?", kDeepestInstance, wanted));
  const size_t parameters = definition.parameters.size();
  size_t cards = 1 + definition.ports.size();
  for (const Piece& piece : definition.pieces) cards += element_count(piece);
  const size_t bytes = (cards + parameters) * (path.size() + kBytesPerCard) + definition.bytes;
  for (size_t i = 0; i < nodes; ++i)
    if (const std::string port = lower(definition.ports[i]);
        deck.globals.contains(port) && lower(use.card.words[i]) != port && !is_ground_in(deck.language, port))
      fail(
          fmt::format("port '{}' of subcircuit '{}' has the name of a .global node, and this instance ties it to "
                      "{}; rename the port",
                      definition.ports[i], wanted, use.card.words[i]));
  if (bytes > room)
    fail(
        fmt::format("subcircuits unfold to more than {} times the size of the deck, which no netlist does; look for "
                    "{} in '{}'",
                    kLargestUnfolding,
                    parameters > cards ? fmt::format("superfluous ones of its {} parameters", parameters)
                                       : std::string("a superfluous instance"),
                    wanted));
  room -= bytes;
}

double set_parameters(const File& file, const Use& use, const Scope& definition, const std::string& path, double count,
                      Parameters& outer, Parameters& parameters) {
  require_each_once(use, file);
  double m = 1;
  for (const ast::Assignment& a : use.card.parameters) {
    if (same_name(a.name, kTemper)) file.fail(a.name, use.offset, kTemperIsTaken);
    const double value = outer.evaluate(a.value, Quantity::anything, file, use.offset);
    if (definition.declares(a.name) || !is_setting_of_instances(a.name)) {
      parameters.set(a.name, value, outer.letters_of(a.value));
    } else if (!same_name(a.name, "m")) {
      file.fail(a.name, use.offset,
                fmt::format("{}= of an instance is not supported; write it on the elements", a.name));
    } else if (!(value > 0)) {
      file.fail(a.name, use.offset, fmt::format("M is {:g}; it must be positive", value));
    } else {
      m = value;
      if (!std::isfinite(count * m))
        file.fail(use.offset, fmt::format("M of '{}' and the instances around it multiply to {:g}", path, count * m));
    }
  }
  return m;
}

}  // namespace gridiron
