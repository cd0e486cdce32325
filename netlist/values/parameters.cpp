// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/parameters.hpp"

#include <fmt/format.h>

#include <utility>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/expression.hpp"
#include "netlist/values/settings.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// A number in quotes or braces is one without.
ast::Value unquoted(const ast::Value& value) {
  const auto number = value.expression.empty() ? std::nullopt : only_number(value.expression);
  return number ? ast::Value{number->digits, {}, number->letters} : value;
}

}  // namespace

void Parameters::define(const ast::Assignment& assignment, Origin where) {
  if (same_name(assignment.name, kTemper)) files_[where.file].fail(assignment.name, where.offset, kTemperIsTaken);
  entries_[lower(assignment.name)] = {assignment.value, where};
  forget_failures();
}

void Parameters::set(ast::Text name, double value, ast::Text letters) {
  entries_[lower(name)] = {{value, {}, letters}, {}, Entry::known, value, letters};
  forget_failures();
}

double Parameters::evaluate(const ast::Value& given, Quantity quantity, const File& file, uint64_t fallback_offset) {
  const ast::Value value = unquoted(given);
  try {
    if (value.expression.empty()) return number(value.number, value.letters, quantity, file);
    const double result = evaluate_expression(
        value.expression, [this](std::string_view name) { return look_up(name); },
        [&](double digits, std::string_view letters) { return number(digits, letters, Quantity::anything, file); },
        {language_, [this](std::string_view name) { return function(name); }});
    if (const std::string_view name = only_name(value.expression); !name.empty()) require_unit(name, quantity);
    return result;
  } catch (const UnitError& e) {
    file.fail(value.letters, fallback_offset, e.what());
  } catch (const ExpressionError& e) {
    file.fail(value.expression, fallback_offset, e.what());
  }
}

/// What names and numbers mean where nothing has to be settled, told or noted.
class Parameters::Settled : public ArithmeticMeaning {
 public:
  Settled(Parameters& parameters, Met& met) : parameters_(parameters), met_(met) {}

  std::optional<double> parameter(std::string_view name) override {
    if (const double* const known = met_.parameters.find(name, Quantity::anything)) return *known;
    const Entry* const entry = parameters_.find(name).entry;
    if (!entry || entry->state != Entry::known) return std::nullopt;
    met_.parameters.keep(name, Quantity::anything, entry->number);
    return entry->number;
  }
  std::optional<double> number(double digits, std::string_view letters) override {
    const auto [value, reading] = scaled(digits, letters, Quantity::anything, parameters_.dialect_);
    return reading == Reading::undisputed ? std::optional(value) : std::nullopt;
  }
  const UserFunction* function(std::string_view name) override { return parameters_.function(name); }

 private:
  Parameters& parameters_;
  Met& met_;
};

std::optional<double> Parameters::settled_value(std::string_view expression, Quantity quantity, Met& met,
                                                std::vector<std::string>& waits_for) {
  const auto undisputed = [this](double digits, std::string_view letters, Quantity what) {
    const auto [value, reading] = scaled(digits, letters, what, dialect_);
    if (reading != Reading::undisputed) throw ExpressionError("to be noted");
    return value;
  };
  const auto parameter = [&](std::string_view name) {
    const Entry* const entry = find(name).entry;
    if (entry && entry->state != Entry::known) waits_for.emplace_back(name);
    if (!entry || entry->state != Entry::known) throw ExpressionError("to be settled");
    return entry->number;
  };
  try {
    Settled settled(*this, met);
    if (const std::optional<double> sum = met.programs.value(expression, settled)) return sum;
    if (const auto number = only_number(expression)) return undisputed(number->digits, number->letters, quantity);
    if (const std::string_view name = only_name(expression); !name.empty()) {
      const double value = parameter(name);
      require_unit(name, quantity);
      return value;
    }
    return evaluate_expression(
        expression, parameter,
        [&](double digits, std::string_view letters) { return undisputed(digits, letters, Quantity::anything); },
        {language_, [this](std::string_view name) { return function(name); }});
  } catch (const UnitError&) {
  } catch (const ExpressionError&) {
  }
  return std::nullopt;
}

bool Parameters::try_settle(const std::string& name) {
  try {
    look_up(name);
    return true;
  } catch (const InputError&) {
  } catch (const ExpressionError&) {
  }
  return false;
}

double Parameters::number(double digits, ast::Text letters, Quantity quantity, const File& file) {
  const auto [value, reading] = scaled(digits, letters, quantity, dialect_);
  if (reading != Reading::undisputed) {
    readings_.resize(files_.size());
    readings_[&file - files_.data()].add(reading, static_cast<uint64_t>(letters.data() - file.text->text().data()));
  }
  return value;
}

ast::Text Parameters::letters_of(const ast::Value& given) {
  const ast::Value value = unquoted(given);
  if (value.expression.empty()) return value.letters;
  const std::string_view name = only_name(value.expression);
  const Found found = name.empty() ? Found() : find(name);
  const bool is_own = found.entry && found.entry == current_ && outer_;
  const Entry* const entry = is_own ? outer_->find(name).entry : found.entry;
  return entry ? entry->letters : ast::Text();
}

/// `parameter`, or the one that it stands for, may have been written with a unit.
void Parameters::require_unit(std::string_view parameter, Quantity quantity) {
  if (quantity == Quantity::anything) return;
  const std::optional<Quantity> unit = measured_by(letters_of({0, parameter, {}}));
  if (unit && *unit != quantity)
    throw ExpressionError(
        fmt::format("parameter '{}' is {}, where {} is expected", parameter, phrase_of(*unit), phrase_of(quantity)));
}

bool Parameters::was_looked_up(std::string_view name) const {
  const auto found = entries_.find(lower(name));
  return found != entries_.end() && found->second.was_looked_up;
}

bool Parameters::is_settled(std::string_view name) const {
  const auto found = entries_.find(lower(name));
  return found != entries_.end() && (found->second.state == Entry::running || found->second.state == Entry::known);
}

bool Parameters::passes_on(std::string_view name) const { return passed_on_.contains(lower(name)); }

std::vector<Parameters::Fault> Parameters::faults() {
  std::vector<Fault> faults;
  const ReadingsOfFiles told = readings_;  // how letters of what nothing uses are read matters to nobody
  for (auto& [name, entry] : entries_) try {
      if (entry.state == Entry::waiting) settle({this, &entry});
      if (entry.state == Entry::failed) std::rethrow_exception(entry.failure);
    } catch (const InputError& e) {
      faults.push_back({name, entry.where, e.what()});
    }
  readings_ = told;
  return faults;
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

void Parameters::forget_failures() {
  for (Entry* const entry : failed_)
    if (entry->state == Entry::failed) entry->state = Entry::waiting;
  failed_.clear();
}

/// In its own expression the name of a parameter is that of one around it, as in `.subckt s p r={2*r}`.
double Parameters::look_up(std::string_view name) {
  Found found = find(name);
  if (found.owner == this && found.entry == current_ && outer_)
    if (const Found around = outer_->find(name); around.entry) found = around;
  if (!found.entry) throw ExpressionError(fmt::format("unknown parameter '{}'; define it with .param", name));
  found.entry->was_looked_up = true;
  if (is_setting_of_instances(name))
    for (Parameters* p = this; p && p != found.owner; p = p->outer_) p->passed_on_.insert(lower(name));
  if (found.entry->state == Entry::running)
    throw ExpressionError(fmt::format("parameter '{}' depends on itself", name));
  if (found.entry->state == Entry::waiting) settle(found);
  if (found.entry->state == Entry::failed) std::rethrow_exception(found.entry->failure);
  return found.entry->number;
}

/// Evaluates an entry after those that its expression names. Uses an explicit stack, as chains of parameters may be
/// long. One that fails stays as it is, and tells whoever needs it the same.
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
    if (entry->state != Entry::running) continue;
    const Entry* const before = std::exchange(owner->current_, entry);
    try {
      entry->number =
          owner->evaluate(entry->value, Quantity::anything, owner->files_[entry->where.file], entry->where.offset);
      entry->letters = owner->letters_of(entry->value);
      entry->state = Entry::known;
    } catch (const InputError&) {
      entry->failure = std::current_exception();
      entry->state = Entry::failed;
      owner->failed_.push_back(entry);
    }
    owner->current_ = before;
  }
}

}  // namespace gridiron
