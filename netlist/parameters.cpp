// SPDX-License-Identifier: Apache-2.0
#include "netlist/parameters.hpp"

#include <fmt/format.h>

#include "netlist/expression.hpp"
#include "netlist/lower_case.hpp"

namespace gridiron {

void Parameters::define(const ast::Assignment& assignment, Origin where) {
  entries_[lower(assignment.name)] = {assignment.value, where, Entry::waiting, 0};
}

void Parameters::set(ast::Text name, double value) { entries_[lower(name)] = {{value, {}}, {}, Entry::known, value}; }

double Parameters::evaluate(const ast::Value& value, const File& file, std::uint64_t fallback_offset) {
  if (value.expression.empty()) return value.number;
  try {
    return evaluate_expression(value.expression, [this](std::string_view name) { return look_up(name); });
  } catch (const ExpressionError& e) {
    file.fail(value.expression, fallback_offset, e.what());
  }
}

Parameters& Parameters::of(const Scope& scope) {
  for (Parameters* p = this; p; p = p->outer_)
    if (p->scope_ == &scope) return *p;
  return *this;
}

Parameters::Found Parameters::find(std::string_view name) {
  const std::string key = lower(name);
  for (Parameters* p = this; p; p = p->outer_)
    if (const auto it = p->entries_.find(key); it != p->entries_.end()) return {p, &it->second};
  return {};
}

double Parameters::look_up(std::string_view name) {
  const Found found = find(name);
  if (!found.entry) throw ExpressionError(fmt::format("unknown parameter '{}'; define it with .param", name));
  if (found.entry->state == Entry::running)
    throw ExpressionError(fmt::format("parameter '{}' depends on itself", name));
  if (found.entry->state == Entry::waiting) settle(found);
  return found.entry->number;
}

/// Evaluates an entry after those it depends on. Uses an explicit stack, as chains of parameters may be long.
void Parameters::settle(Found wanted) {
  std::vector<Found> open{wanted};
  while (!open.empty()) {
    const auto [owner, entry] = open.back();
    if (entry->state == Entry::waiting) {
      entry->state = Entry::running;
      for_each_name(entry->value.expression, [&open, owner = owner](std::string_view name) {
        const Found needed = owner->find(name);
        if (needed.entry && needed.entry->state == Entry::waiting) open.push_back(needed);
      });
      continue;
    }
    open.pop_back();
    if (entry->state == Entry::known) continue;
    entry->number = owner->evaluate(entry->value, owner->files_[entry->where.file], entry->where.offset);
    entry->state = Entry::known;
  }
}

}  // namespace gridiron
