// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "netlist/source_text.hpp"
#include "netlist/values/quantity.hpp"

namespace gridiron {

/// The points that the PWL sources of a deck have in files of their own, each file read once. Internal to netlist/.
class PwlFiles {
 public:
  /// Each file `name` as a card of the file `from` names it: times, s, and values of `what` in turn. A line of the file
  /// has one or more pairs between blanks, tabs, commas or semicolons, and numbers as on cards. What follows one
  /// of `*`, `#` and `$` is a comment. `opens` is called with the path first. Errors: InputError "file:line:column: …".
  const std::vector<double>& read(const std::string& name, const std::string& from, Quantity what, Dialect dialect,
                                  const std::function<void(const std::string&)>& opens);

  /// Those that were read.
  const std::vector<std::shared_ptr<const SourceText>>& texts() const { return texts_; }

 private:
  std::map<std::pair<std::string, Quantity>, std::vector<double>> known_;
  std::vector<std::shared_ptr<const SourceText>> texts_;
};

}  // namespace gridiron
