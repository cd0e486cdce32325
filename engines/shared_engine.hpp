// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "linalg/shares.hpp"

namespace gridiron {

/// What an engine is, too, that solves what processes share. After share(), each of them passes problems with the rows
/// that it holds: columns from `matrix.rows` on are rows of others, in the order of Shares::exchange(), and a geometry
/// is of the rows that are here.
class SharedEngine {
 public:
  virtual ~SharedEngine() = default;
  virtual void share(std::shared_ptr<const Shares> shares) = 0;
};

}  // namespace gridiron
