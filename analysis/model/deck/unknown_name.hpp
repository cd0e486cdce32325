// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "netlist/circuit.hpp"
#include "support/error.hpp"

namespace gridiron {

/// A name that the netlist does not have.
struct UnknownName : InputError {
  UnknownName(const std::string& message, std::string_view wanted, std::string_view near)
      : InputError(message), name(wanted), nearest(near) {}
  std::string name;
  std::string nearest;  ///< one that it has; empty where it has none, or too many to search
};

inline constexpr std::string_view kNoNode = "the netlist has no node of that name";

/// "`message`; the nearest is n1_m1_0_0`more`".
UnknownName unknown_node(const Circuit& circuit, std::string_view name, const std::string& message,
                         const std::string& more = {});
UnknownName unknown_element(const Circuit& circuit, Kind kind, std::string_view name, const std::string& message,
                            const std::string& more = {});

}  // namespace gridiron
