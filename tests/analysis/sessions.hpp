// SPDX-License-Identifier: Apache-2.0
// What the tests of designs, systems and solvers share.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron::test {

inline std::shared_ptr<const Design> design_of(const std::string& deck) {
  return make_design(std::make_shared<const Circuit>(read_netlist_text(deck)));
}

inline Context on_cpu(int threads = 0) {
  Context context;
  context.device = "cpu";
  context.threads = threads;
  return context;
}

inline double volts(const System& system, const Answer& answer, std::string_view node) {
  return answer.voltage_v[system.design()->find_node(node)];
}

/// What an error of type E says, empty when there is none.
template <class E, class F>
std::string error_of(F&& work) {
  try {
    work();
  } catch (const E& e) {
    return e.what();
  }
  return "";
}

}  // namespace gridiron::test
