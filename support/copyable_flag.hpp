// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace gridiron {

/// An atomic flag that is copied with what it tells of.
struct CopyableFlag : std::atomic<bool> {
  CopyableFlag() : atomic(false) {}
  CopyableFlag(const CopyableFlag& other) : atomic(other.load()) {}
  CopyableFlag& operator=(const CopyableFlag& other) {
    store(other.load());
    return *this;
  }
};

}  // namespace gridiron
