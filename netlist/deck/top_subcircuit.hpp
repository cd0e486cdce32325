// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/values/scope.hpp"

namespace gridiron {

/// Makes a subcircuit of the deck part of its top level: its ports and inner nodes are nodes of their own names, its
/// parameters have their defaults. Elements that stand outside of it remain, which a finding says. Errors: InputError
/// where the deck has no such subcircuit or an X card instantiates it. Internal to netlist/.
void take_as_top(Deck& deck, const std::string& name);

/// Errors: InputError, which says what is wrong with a deck without elements on its top level.
[[noreturn]] void refuse_empty(const Deck& deck, const std::string& path);

}  // namespace gridiron
