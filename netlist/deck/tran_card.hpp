// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>

namespace gridiron {

/// Errors: CardError, where the .tran card at `at` has a `sweep` of HSPICE.
void require_no_sweep(const char* at, const char* end);

/// What is wrong with the times of a .tran card, in seconds, as they stand on it; empty if nothing is.
std::string tran_fault(std::span<const double> times);

/// Step, stop, start and largest step of times without fault. A step of 0 or none is the largest step, or 0.
std::array<double, 4> tran_times(std::span<const double> times);

}  // namespace gridiron
