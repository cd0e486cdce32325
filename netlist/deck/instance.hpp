// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "netlist/deck/deck.hpp"
#include "netlist/values/parameters.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// Limit on the size of the flattened text, in sizes of the deck; more is malicious or a mistake.
inline constexpr size_t kLargestUnfolding = 2000;

/// An instance has the nodes that its subcircuit has, and unfolds to no more than `room` bytes, of which it takes its
/// part. `path`: of its elements. Errors: InputError.
void require_fitting(const Deck& deck, const Use& use, const Scope& definition, const std::string& path, int depth,
                     size_t& room);

/// Gives parameters the values that the instance sets, and returns its M, which makes it so many equal ones, as `count`
/// does of the instances around it. Errors: InputError.
double set_parameters(const File& file, const Use& use, const Scope& definition, const std::string& path, double count,
                      Parameters& outer, Parameters& parameters);

}  // namespace gridiron
