// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/scope.hpp"

namespace gridiron {

/// Parameters of one instance; evaluated on demand, so their order in the deck does not matter. Internal to netlist/.
class Parameters {
 public:
  /// `scope`: what is instantiated, in an instance with the parameters `outer`.
  Parameters(Parameters* outer, const Scope* scope, const std::vector<File>& files)
      : outer_(outer), scope_(scope), files_(files) {}

  void define(const ast::Assignment& assignment, Origin where);
  void set(ast::Text name, double value);

  /// Errors: InputError at the expression, or at `fallback_offset` if that was written elsewhere.
  double evaluate(const ast::Value& value, const File& file, std::uint64_t fallback_offset);

  /// The parameters of the innermost enclosing instance of `scope`.
  Parameters& of(const Scope& scope);

 private:
  struct Entry {
    ast::Value value;
    Origin where{};
    enum { waiting, running, known } state = waiting;
    double number = 0;
  };

  /// An entry and the instance whose parameter it is.
  struct Found {
    Parameters* owner = nullptr;
    Entry* entry = nullptr;
  };

  Found find(std::string_view name);
  double look_up(std::string_view name);
  static void settle(Found wanted);

  Parameters* outer_;
  const Scope* scope_;
  const std::vector<File>& files_;
  std::map<std::string, Entry> entries_;
};

}  // namespace gridiron
