// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "netlist/values/expression.hpp"
#include "netlist/values/expression_text.hpp"

namespace gridiron {

/// A call of a function of the deck: its arguments hide parameters.
struct Frame {
  const UserFunction& function;
  const double* arguments;
  const Frame* caller;
  int depth;  ///< 1: the expression itself calls it
};

/// What the functions that one expression calls have cost, and the values of those that others called: they call one
/// another with the same arguments again and again.
class Calls {
 public:
  /// Errors: ExpressionError, where it is too much.
  void add_work(const UserFunction& function, std::string_view expression) {
    constexpr size_t kMostWork = size_t{64} << 10;  // characters
    if ((work_ += function.body.size() + 1) > kMostWork)
      throw ExpressionError(
          fmt::format("the functions that '{}' calls call others too often; compute parts of it as parameters",
                      expression_text::in_one_line(expression)));
  }
  /// The value, or none yet, that a function has for these arguments.
  std::optional<double>& value_of(const UserFunction& function, const double* arguments) {
    std::vector<uint64_t> bits;
    for (size_t i = 0; i < function.arguments.size(); ++i) bits.push_back(std::bit_cast<uint64_t>(arguments[i]));
    return known_[{&function, std::move(bits)}];
  }

 private:
  size_t work_ = 0;
  std::map<std::pair<const UserFunction*, std::vector<uint64_t>>, std::optional<double>> known_;
};

}  // namespace gridiron
