// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/scope.hpp"

#include <algorithm>

#include "netlist/names/lower_case.hpp"

namespace gridiron {

void Scope::add(const Piece& elements) {
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.file == elements.file && last.chunk == elements.chunk && last.branch == elements.branch &&
        last.end == elements.begin) {
      last.end = elements.end;
      return;
    }
  }
  pieces.push_back(elements);
}

const Scope* Scope::find(const std::string& subcircuit) const {
  for (const Scope* s = this; s; s = s->outer)
    if (const auto it = s->definitions.find(subcircuit); it != s->definitions.end()) return it->second.get();
  return nullptr;
}

std::pair<const Scope*, const ModelCard*> Scope::find_model(const std::string& model) const {
  for (const Scope* s = this; s; s = s->outer)
    if (const auto it = s->models.find(model); it != s->models.end()) return {s, &it->second};
  return {nullptr, nullptr};
}

const UserFunction* Scope::find_function(std::string_view name) const {
  const std::string key = lower(name);
  for (const Scope* s = this; s; s = s->outer)
    if (const auto it = s->functions.find(key); it != s->functions.end()) return &it->second;
  return nullptr;
}

bool Scope::sees_node(ast::Text name) const {
  return is_ground(name) || std::ranges::any_of(ports, [name](ast::Text port) { return same_name(port, name); });
}

bool Scope::declares(ast::Text parameter) const {
  const std::string key = lower(parameter);
  return defined.contains(key) || branch_names.contains(key);
}

}  // namespace gridiron
