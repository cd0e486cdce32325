// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Numbers of threads that can be asked for are 1 to this.
inline constexpr int kMostThreads = 4096;

/// Of so many threads those worth starting: no more than there are processors, as more would only contend, and than
/// the system grants (`ulimit -v`, `ulimit -u`), as OpenMP's library ends the program where one is denied. 0 stays 0.
int usable_threads(int threads);

/// Whether the system grants this process so many threads at a time, also more than there are processors.
bool can_start_threads(int threads);

}  // namespace gridiron
