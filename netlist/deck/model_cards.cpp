// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/model_cards.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <utility>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

Kind kind_of_letter(char letter) {
  return lower(letter) == 'e' || lower(letter) == 'h' ? kVoltageSource : kCurrentSource;
}

Quantity gain_quantity(char letter) {
  switch (lower(letter)) {
    case 'g':
      return Quantity::anything;  // S is siemens here, and a second elsewhere
    case 'h':
      return Quantity::resistance;
    default:
      return Quantity::pure;
  }
}

/// What `count` equal instances, of which a circuit has one with their common current, make of a gain. The sources that
/// F and H refer to are inside, too, and carry the current of all.
double gain_of_all(char letter, double count) {
  switch (lower(letter)) {
    case 'g':
      return count;
    case 'h':
      return 1 / count;
    default:
      return 1;
  }
}

/// 1 where the only control is the voltage of the source itself, −1 where it is that turned round, else 0.
int own_voltage(const ControlledSource& source) {
  if (source.controls.size() != 1 || source.controls[0].source >= 0) return 0;
  const ControlledSource::Control& control = source.controls[0];
  if (control.a == source.a && control.b == source.b) return 1;
  return control.a == source.b && control.b == source.a ? -1 : 0;
}

/// Adds a source that is constant or a conductance; false for all others.
bool add_simple(ControlledSource& source, Circuit& circuit) {
  std::erase_if(source.controls, [](const ControlledSource::Control& control) {
    return control.gain == 0 || (control.source < 0 && control.a == control.b);
  });
  const auto add = [&](Kind kind, double value) {
    circuit.add_element(kind, source.a, source.b, value, source.origin, source.path);
  };
  if (source.kind == kCurrentSource && source.a == source.b) return true;  // without effect
  const int own = own_voltage(source);
  if (!source.controls.empty() && own == 0) return false;
  const double gain = own == 0 ? 0 : source.controls[0].gain * own;
  if (source.kind == kVoltageSource) {
    if (gain == 1) return false;  // it says nothing of its voltage
    add(kVoltageSource, own == 0 ? source.constant : source.constant / (1 - gain));
    return true;
  }
  if (own != 0) add(kResistor, 1 / gain);
  if (source.constant != 0) add(kCurrentSource, source.constant);
  return true;
}

}  // namespace

/// Elements of a kind by their full names, in lower case; made when it is first asked.
class ModelCards::Names {
 public:
  Names(const Circuit& circuit, Kind kind) : circuit_(circuit), kind_(kind) {}

  /// −1: none. Inside of an instance, only what that has; at the top level, any by its full name, with or without the
  /// letter before it that other programs write (v.x1.v2).
  int64_t find(const std::string& path, ast::Text name, const File& file, uint64_t offset) {
    if (elements_.empty()) list();
    const std::string wanted = lower(path) + lower(name);
    auto found = elements_.find(wanted);
    if (found == elements_.end() && path.empty() && wanted.size() > 2 && wanted[1] == '.')
      found = elements_.find(wanted.substr(2));
    if (found == elements_.end()) return -1;
    if (found->second < 0) file.fail(name, offset, fmt::format("there are several '{}'; rename one", name));
    return found->second;
  }

 private:
  void list() {
    for (int64_t i = 0; i < circuit_.elements(kind_).size(); ++i) {
      const auto [it, is_new] = elements_.emplace(lower(circuit_.element_name(kind_, i)), i);
      if (!is_new) it->second = -1;
    }
  }

  const Circuit& circuit_;
  Kind kind_;
  std::unordered_map<std::string, int64_t> elements_;
};

ModelCards::Pending ModelCards::pending(const ast::Controlled& card, Origin where, const std::string& path,
                                        Parameters& parameters, double count,
                                        const std::function<NodeId(ast::Text)>& node_id) const {
  const File& file = files_[where.file];
  const char letter = card.name[0];
  const auto value = [&](const ast::Value& v, Quantity quantity) {
    const double number = parameters.evaluate(v, quantity, file, where.offset);
    if (!std::isfinite(number)) file.fail(where.offset, fmt::format("'{}' has the value {:g}", card.name, number));
    return number;
  };
  ControlledSource source{kind_of_letter(letter), node_id(card.a), node_id(card.b)};
  const bool is_current = source.kind == kCurrentSource;
  const double multiplier = card.multiplier ? value(*card.multiplier, Quantity::pure) : 1;
  if (!(multiplier > 0)) file.fail(where.offset, fmt::format("M is {:g}; it must be positive", multiplier));
  source.constant = value(card.coefficients[0], is_current ? Quantity::current : Quantity::voltage) * multiplier *
                    (is_current ? count : 1);
  std::vector<ast::Text> wanted;
  const bool by_voltage = card.controls.size() == 2 * card.inputs;
  for (size_t i = 0; i < card.inputs; ++i) {
    ControlledSource::Control& control = source.controls.emplace_back();
    if (i + 1 < card.coefficients.size())
      control.gain = value(card.coefficients[i + 1], gain_quantity(letter)) * multiplier * gain_of_all(letter, count);
    if (by_voltage) control.a = node_id(card.controls[2 * i]), control.b = node_id(card.controls[2 * i + 1]);
    wanted.push_back(by_voltage ? ast::Text() : card.controls[i]);
  }
  for (size_t k = card.inputs + 1; k < card.coefficients.size(); ++k)
    if (value(card.coefficients[k], Quantity::anything) != 0)
      file.fail(card.coefficients[k].expression, where.offset,
                card.inputs == 1
                    ? fmt::format("'{}' is not linear: the coefficient of power {} is not 0", card.name, k)
                    : fmt::format("'{}' is not linear: coefficient {} of its polynomial is not 0", card.name, k + 1));
  source.origin = where;
  source.path = path;
  return {std::move(source), std::move(wanted)};
}

void ModelCards::add(const Scope& scope, Parameters& parameters, const std::string& path, double count,
                     const std::function<NodeId(ast::Text)>& node_id) {
  for (const ModelElement<ast::Controlled>& element : scope.controlled)
    sources_.push_back(pending(element.card, element.where, path, parameters, count, node_id));
  for (const auto& [card, where] : scope.couplings) {
    const File& file = files_[where.file];
    const double k = parameters.evaluate(card.coefficient, Quantity::pure, file, where.offset);
    if (!(std::abs(k) <= 1))
      file.fail(where.offset,
                fmt::format("the coefficient of '{}' is {:g}; it must lie between -1 and 1", card.name, k));
    couplings_.push_back({&card, where, path, k});
  }
}

void ModelCards::finish(Circuit& circuit) && {
  Names voltage_sources(circuit, kVoltageSource), inductors(circuit, kInductor);
  for (auto& [source, wanted] : sources_)
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      const File& file = files_[source.origin.file];
      const int64_t found = voltage_sources.find(source.path, wanted[i], file, source.origin.offset);
      if (found < 0)
        file.fail(
            wanted[i], source.origin.offset,
            fmt::format("there is no voltage source '{}'{}; the current that controls a source is that of a V card",
                        wanted[i], source.path.empty() ? "" : " in this subcircuit"));
      source.controls[i].source = found;
    }
  for (const PendingCoupling& pending : couplings_) couple(pending, inductors, circuit);
  for (auto& [source, wanted] : sources_)
    if (!add_simple(source, circuit)) circuit.controlled_sources.push_back(std::move(source));
}

void ModelCards::couple(const PendingCoupling& pending, Names& inductors, Circuit& circuit) const {
  const File& file = files_[pending.where.file];
  std::vector<int64_t> all;
  for (const ast::Text name : pending.card->inductors) {
    const int64_t found = inductors.find(pending.path, name, file, pending.where.offset);
    if (found < 0)
      file.fail(name, pending.where.offset,
                fmt::format("there is no inductor '{}'{}", name, pending.path.empty() ? "" : " in this subcircuit"));
    for (const int64_t other : all)
      if (other == found) file.fail(name, pending.where.offset, fmt::format("'{}' is coupled to itself", name));
    all.push_back(found);
  }
  for (size_t j = 1; j < all.size() && pending.k != 0; ++j)
    for (size_t i = 0; i < j; ++i) circuit.couplings.push_back({all[i], all[j], pending.k, pending.where});
}

}  // namespace gridiron
