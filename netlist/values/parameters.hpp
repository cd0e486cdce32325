// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/values/arithmetic_program.hpp"
#include "netlist/values/recent_values.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// The circuit's temperature in expressions, °C.
inline constexpr const char* kTemper = "temper";
inline constexpr const char* kTemperIsTaken =
    "temper is the circuit's temperature in expressions; give the parameter another name, or write .temp";

/// ReadingNotes by file.
using ReadingsOfFiles = std::vector<ReadingNotes>;

/// Parameters of one instance; evaluated on demand, so their order in the deck does not matter. Internal to netlist/.
class Parameters {
 public:
  /// Of no instance: those that are predefined.
  /// `numbers`, `expressions`: whose rules these follow.
  Parameters(const std::vector<File>& files, Dialect numbers, Dialect expressions, ReadingsOfFiles& readings)
      : outer_(nullptr),
        scope_(nullptr),
        files_(files),
        dialect_(numbers),
        language_(expressions),
        readings_(readings) {}
  /// `scope`: what is instantiated, in an instance with the parameters `outer`.
  Parameters(Parameters& outer, const Scope* scope)
      : outer_(&outer),
        scope_(scope),
        files_(outer.files_),
        dialect_(outer.dialect_),
        language_(outer.language_),
        readings_(outer.readings_) {}

  void define(const ast::Assignment& assignment, Origin where);
  /// `letters`: what it was written with.
  void set(ast::Text name, double value, ast::Text letters = {});

  /// A value that measures `quantity`; so must a parameter with a unit that it consists of. Errors: InputError at the
  /// value, or at `fallback_offset` if that was written elsewhere.
  double evaluate(const ast::Value& value, Quantity quantity, const File& file, uint64_t fallback_offset);

  /// Settled parameters, and the last expressions, that one reader of them has met.
  struct Met {
    RecentValues parameters = {};
    ArithmeticPrograms programs = {};
  };
  /// The value of an expression for which nothing has to be settled, told or noted; may be called by several threads at
  /// once, each with its own `met`. None otherwise: `waits_for` then gets the name of a parameter that has no value
  /// yet, unless it is wrong.
  std::optional<double> settled_value(std::string_view expression, Quantity quantity, Met& met,
                                      std::vector<std::string>& waits_for);

  /// Computes a parameter as if it had been asked for. False if it has no value, which is told when one asks for it.
  bool try_settle(const std::string& name);

  /// The letters behind the number that a value, or the parameter that it consists of, was written as. Of a value that
  /// has been evaluated.
  ast::Text letters_of(const ast::Value& value);

  /// Whether an expression asked for a parameter of this instance.
  bool was_looked_up(std::string_view name) const;

  /// Whether an expression in this instance asked for a parameter of that name, be it that of one around it.
  bool passes_on(std::string_view name) const;

  /// A parameter that nothing has asked for and whose value cannot be told.
  struct Fault {
    std::string name;
    Origin where;
    std::string why;
  };
  /// Those of this instance; to be called last, when all else is known.
  std::vector<Fault> faults();

  /// Whether this instance or one around it has that parameter.
  bool knows(std::string_view name) { return find(name).entry != nullptr; }

  /// Whether something has asked for the value that a parameter of this instance has now.
  bool is_settled(std::string_view name) const;

  /// The parameters of the innermost enclosing instance of `scope`.
  Parameters& of(const Scope& scope);

 private:
  struct Entry {
    ast::Value value;
    Origin where{};
    enum { waiting, running, known, failed } state = waiting;
    double number = 0;
    ast::Text letters = {};  ///< once it is known: see letters_of()
    bool was_looked_up = false;
    std::exception_ptr failure = {};  ///< InputError
  };

  /// An entry and the instance whose parameter it is.
  struct Found {
    Parameters* owner = nullptr;
    Entry* entry = nullptr;
  };

  const UserFunction* function(std::string_view name) const { return scope_ ? scope_->find_function(name) : nullptr; }
  Found find(std::string_view name);
  /// Forgets what failed, as it may have a value now that something else is defined.
  void forget_failures();
  double look_up(std::string_view name);
  class Settled;
  static void settle(Found wanted);
  double number(double digits, ast::Text letters, Quantity quantity, const File& file);
  void require_unit(std::string_view parameter, Quantity quantity);

  std::set<std::string, std::less<>> passed_on_;  ///< settings of instances that were asked for
  Parameters* outer_;
  const Scope* scope_;
  const std::vector<File>& files_;
  Dialect dialect_, language_;
  ReadingsOfFiles& readings_;
  std::map<std::string, Entry> entries_;
  std::vector<Entry*> failed_;
  const Entry* current_ = nullptr;  ///< the one that is being evaluated
};

}  // namespace gridiron
