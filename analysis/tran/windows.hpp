// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// The worst drop of a net, by its index, in a window of time that overlaps the results, s: the largest at the last row
/// at or before `begin`, and in all steps since then to the first row at or after `end`.
WindowResult worst_in_window(const TranReport& report, int32_t net, double begin, double end);

/// The same of every net in every window of `window_s` seconds from the start of the results on; none unless window_s
/// is above 0.
std::vector<WindowResult> windows_of(const TranReport& report, double window_s);

}  // namespace gridiron
