// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"

namespace gridiron {

/// Solves by a factorization, so a guess is of no use to it. A stop rule whose absolute_max is infinite is leave to
/// return the first solution as it is, without forming its residual: for callers that bound its error themselves.
class DirectEngine : public Engine {
 public:
  bool begins_at_zero() const override { return true; }
};

}  // namespace gridiron
