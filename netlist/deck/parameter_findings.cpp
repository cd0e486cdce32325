// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parameter_findings.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/expression.hpp"
#include "netlist/values/settings.hpp"
#include "support/lists.hpp"
#include "support/plural.hpp"

namespace gridiron {

void ParameterFindings::look_at(const Scope& scope, Parameters& parameters, Ledger& ledger) {
  if (!searched_.insert(&scope).second) return;
  const std::vector<Parameters::Fault> faults = parameters.faults();
  if (faults.empty()) return;
  const auto at = [](Origin o) { return std::pair(static_cast<uint64_t>(o.file), static_cast<uint64_t>(o.offset)); };
  std::set<std::string_view> faulty;
  for (const Parameters::Fault& fault : faults) faulty.insert(fault.name);
  std::map<std::pair<uint64_t, uint64_t>, bool> is_lost;
  for (const auto& [assignment, where] : scope.parameters)
    is_lost.try_emplace(at(where), at(where) != at(scope.opened)).first->second &=
        faulty.contains(lower(assignment.name));
  const std::string_view card = class_of(CardKind::param).name;
  for (const auto& [where, lost] : is_lost)
    if (lost && where.first < ledger.files.size()) {
      Ledger::add(ledger.files[where.first], card, Fate::used, -1);
      Ledger::add(ledger.files[where.first], card, Fate::skipped, 1);
    }
  append(faults_, faults);
}

void ParameterFindings::look_at(const Use& use, const Scope& subcircuit, Parameters& parameters, Parameters& outer,
                                const File& file) {
  for (const ast::Assignment& a : use.card.parameters) {
    if (subcircuit.declares(a.name)) continue;
    const bool is_setting = is_setting_of_instances(a.name);
    const bool is_used = is_setting ? parameters.passes_on(a.name) : parameters.was_looked_up(a.name);
    if (is_setting && !is_used) continue;
    undeclared_.try_emplace(std::pair(subcircuit.name, lower(a.name)),
                            Undeclared{file.text->describe(use.offset), is_used, subcircuit.outer->finds(a.name)});
  }
  if (uses_.emplace(&file, use.offset).second) look_at_scopes(use, subcircuit, parameters, outer, file);
}

/// Names in the expressions of an instance are those around it; ngspice takes those that the subcircuit has.
void ParameterFindings::look_at_scopes(const Use& use, const Scope& subcircuit, Parameters& parameters,
                                       Parameters& outer, const File& file) {
  for (const ast::Assignment& a : use.card.parameters)
    for_each_name(a.value.expression, [&](std::string_view name) {
      if (same_name(name, a.name) || !subcircuit.declares(name)) return;
      const auto value = [&](Parameters& of) {
        return of.evaluate(ast::Value{0, name, {}}, Quantity::anything, file, use.offset);
      };
      if (value(outer) != value(parameters))
        two_scopes_.try_emplace(std::pair(subcircuit.name, lower(name)), file.text->describe(use.offset));
    });
}

void ParameterFindings::add_to(Circuit& circuit) const {
  if (!faults_.empty()) {
    const auto more = std::ssize(faults_) - 1;
    circuit.findings.push_back(
        {true, "parameter-unused",
         fmt::format("nothing uses parameter '{}', and it has no value{}: {}", faults_[0].name,
                     more > 0 ? fmt::format(", like {}", counted(more, "more parameter")) : "", faults_[0].why),
         circuit.place(faults_[0].where)});
  }
  for (const auto& [parameter, found] : undeclared_) {
    const auto& [subcircuit, name] = parameter;
    if (!found.is_used)
      circuit.findings.push_back({true, "parameter-unused",
                                  fmt::format("subcircuit '{}' has no parameter '{}' and does not use it; is it "
                                              "misspelt?",
                                              subcircuit, name),
                                  found.place});
    else if (found.hides_another)
      circuit.findings.push_back(
          {true, "parameter-undeclared",
           fmt::format("subcircuit '{}' uses parameter '{}' without declaring it: the value that the instance gives "
                       "applies {}; declare it on the .subckt card",
                       subcircuit, name,
                       is_setting_of_instances(name) ? "in ngspice, but not here" : "here, but not in ngspice"),
           found.place});
  }
  for (const auto& [parameter, place] : two_scopes_)
    circuit.findings.push_back(
        {true, "parameter-scope",
         fmt::format("'{}' in this instance is the parameter around it, while ngspice takes that of subcircuit '{}', "
                     "which has another value; give one of them another name",
                     parameter.second, parameter.first),
         place});
}

}  // namespace gridiron
