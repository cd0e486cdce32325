// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>

namespace gridiron {

/// Names of the formats in which reports are to be written.
using Formats = std::set<std::string, std::less<>>;

}  // namespace gridiron
