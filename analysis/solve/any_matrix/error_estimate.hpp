// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridiron {

/// y = B x for a square matrix.
using Multiply = std::function<std::vector<double>(std::vector<double> x)>;

/// An estimate of the largest column sum of |B|, from some products with B and its transpose: a lower bound, mostly
/// within a few per cent (N. J. Higham, ACM Trans. Math. Softw. 14, 1988, algorithm 4.1).
double estimate_one_norm(int64_t n, const Multiply& times, const Multiply& times_transposed);

}  // namespace gridiron
