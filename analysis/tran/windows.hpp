// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// The worst drop of every net in every window of `window_s` seconds from the start of the results on, from the rows;
/// none unless window_s is above 0.
std::vector<WindowResult> windows_of(const TranReport& report, double window_s);

}  // namespace gridiron
