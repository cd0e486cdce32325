// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/compare.hpp"

namespace gridiron {

/// The bytes of a PNG: time against the number of unknowns, and error against time, a curve per engine and kind of
/// case. Errors: ResourceError.
std::string compare_picture(const Comparison& comparison);

}  // namespace gridiron
