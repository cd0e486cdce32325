// SPDX-License-Identifier: Apache-2.0
#include "support/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace gridiron {
namespace {

constexpr int64_t kUnlimited = INT64_MAX;

/// kUnlimited where the file does not exist or says "max".
int64_t number_in(const std::filesystem::path& path) {
  int64_t number = 0;
  return std::ifstream(path) >> number ? number : kUnlimited;
}

}  // namespace

int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

int64_t usable_memory_bytes() {
  const int64_t physical = static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return std::min(physical, cgroup_memory_limit());
}

int64_t cgroup_memory_limit(const std::filesystem::path& groups, const std::filesystem::path& mount) {
  int64_t least = kUnlimited;
  std::ifstream list(groups);
  for (std::string line; std::getline(list, line);) {  // NUMBER:CONTROLLERS:/GROUP, no controllers in version 2
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    const std::filesystem::path root = mount / controllers;
    std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      least = std::min(least, number_in(root / group / (controllers.empty() ? "memory.max" : "memory.limit_in_bytes")));
      if (group.empty()) break;
    }
  }
  return least;
}

}  // namespace gridiron
