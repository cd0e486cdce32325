// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace gridiron {

/// Largest resident set of this process so far, bytes.
int64_t peak_memory_bytes();

/// Main memory of this machine, or the lower limit set by the control groups of this process, bytes.
int64_t usable_memory_bytes();

/// The least limit on the memory of a process and the groups above it (Linux control groups, versions 1 and 2), bytes;
/// the largest number if there is none. `groups` is the process's list of groups, `mount` their mount point.
int64_t cgroup_memory_limit(const std::filesystem::path& groups = "/proc/self/cgroup",
                            const std::filesystem::path& mount = "/sys/fs/cgroup");

}  // namespace gridiron
