// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace gridiron {

/// What is wrong with the times of a .tran card, in seconds, as they stand on it; empty if nothing is.
std::string tran_fault(std::span<const double> times);

}  // namespace gridiron
