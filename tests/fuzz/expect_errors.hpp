// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include "support/error.hpp"

namespace gridiron::fuzz {

inline void check(bool holds) {
  if (!holds) std::abort();
}

/// Only gridiron::Error may be thrown, with a message; anything else is a finding.
template <class F>
void expect_only_errors(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    check(*e.what() != '\0');
  }
}

}  // namespace gridiron::fuzz
