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

bool is_constant(const ControlledSource& source) {
  return source.gain == 0 || (source.control_source < 0 && source.control_a == source.control_b);
}

/// 1 where the control is the voltage of the source itself, −1 where it is that turned round, else 0.
int own_voltage(const ControlledSource& source) {
  if (source.control_source >= 0) return 0;
  if (source.control_a == source.a && source.control_b == source.b) return 1;
  return source.control_a == source.b && source.control_b == source.a ? -1 : 0;
}

/// Adds a source that is constant or a conductance; false for all others.
bool add_simple(const ControlledSource& source, Circuit& circuit) {
  const auto add = [&](Kind kind, double value) {
    circuit.add_element(kind, source.a, source.b, value, source.origin, source.path);
  };
  if (source.kind == kCurrentSource && source.a == source.b) return true;  // without effect
  const int own = is_constant(source) ? 0 : own_voltage(source);
  if (!is_constant(source) && own == 0) return false;
  if (source.kind == kVoltageSource) {
    if (own != 0 && source.gain * own == 1) return false;  // it says nothing of its voltage
    add(kVoltageSource, own == 0 ? source.constant : source.constant / (1 - source.gain * own));
    return true;
  }
  if (own != 0) add(kResistor, 1 / (source.gain * own));
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

void ModelCards::add(const Scope& scope, Parameters& parameters, const std::string& path, double count,
                     const std::function<NodeId(ast::Text)>& node_id) {
  for (const ModelElement<ast::Controlled>& element : scope.controlled) {
    const ast::Controlled& card = element.card;
    const Origin where = element.where;
    const File& file = files_[where.file];
    const char letter = card.name[0];
    const auto value = [&](const ast::Value& v, Quantity quantity) {
      const double number = parameters.evaluate(v, quantity, file, where.offset);
      if (!std::isfinite(number)) file.fail(where.offset, fmt::format("'{}' has the value {:g}", card.name, number));
      return number;
    };
    ControlledSource source{kind_of_letter(letter), node_id(card.a), node_id(card.b)};
    source.constant =
        value(card.coefficients[0], source.kind == kVoltageSource ? Quantity::voltage : Quantity::current);
    if (card.coefficients.size() > 1) source.gain = value(card.coefficients[1], gain_quantity(letter));
    for (size_t power = 2; power < card.coefficients.size(); ++power)
      if (value(card.coefficients[power], Quantity::anything) != 0)
        file.fail(card.coefficients[power].expression, where.offset,
                  fmt::format("'{}' is not linear: the coefficient of power {} is not 0", card.name, power));
    const double multiplier = card.multiplier ? value(*card.multiplier, Quantity::pure) : 1;
    if (!(multiplier > 0)) file.fail(where.offset, fmt::format("M is {:g}; it must be positive", multiplier));
    const bool is_current = source.kind == kCurrentSource;
    source.constant *= multiplier * (is_current ? count : 1);
    source.gain *= multiplier * gain_of_all(letter, count);
    const bool by_voltage = card.controls.size() == 2;
    if (by_voltage) source.control_a = node_id(card.controls[0]), source.control_b = node_id(card.controls[1]);
    source.origin = where;
    source.path = path;
    sources_.push_back({std::move(source), card.controls.size() == 1 ? card.controls[0] : ast::Text()});
  }
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
    if (!wanted.empty()) {
      const File& file = files_[source.origin.file];
      source.control_source = voltage_sources.find(source.path, wanted, file, source.origin.offset);
      if (source.control_source < 0)
        file.fail(
            wanted, source.origin.offset,
            fmt::format("there is no voltage source '{}'{}; the current that controls a source is that of a V card",
                        wanted, source.path.empty() ? "" : " in this subcircuit"));
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
