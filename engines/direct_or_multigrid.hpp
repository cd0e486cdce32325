// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engines/factor_work.hpp"

// By which `auto` tells whether a symmetric positive definite system is one for a factorization or for multigrid.

namespace gridiron {

/// Unknowns up to which a factorization of a grid takes a fraction of a second and is exact, whatever the conductances;
/// beyond it, time and memory grow faster than those of multigrid.
inline constexpr int64_t kDirectUpTo = 200'000;

/// What the time of multigrid depends on besides the size of a matrix.
enum class GraphKind {
  mesh,
  hubs,     ///< some rows are coupled to a large share of all: few iterations
  branches  ///< most unknowns have one or two couplings: they are eliminated
};

struct SystemSize {
  int64_t unknowns = 0, nonzeros = 0;
  GraphKind kind = GraphKind::mesh;
};
SystemSize size_of(const CsrMatrix& matrix);

/// A system that was solved once by both, with a tolerance of 10 uV, on two cores of an EPYC; what the rule goes by,
/// and checked against it by a test.
struct MeasuredSystem {
  std::string_view graph;
  SystemSize size;
  FactorWork counted;          ///< by AMD
  double cholmod_s, aggamg_s;  ///< setup and solve
  std::string_view taken;
};
std::span<const MeasuredSystem> measured_systems();

/// Seconds on some four threads: the engine, and so the answer, does not depend on how many there are. Multigrid gains
/// more from threads than a small factorization does.
double predicted_direct_s(const FactorWork& work, int64_t unknowns, int64_t solves);
double predicted_multigrid_s(const SystemSize& size, int64_t solves);

/// Whether the time of such a factorization is well spent: up to kDirectUpTo unknowns being exact is worth 30 % more
/// time than multigrid takes. And its factor has to fit into memory.
bool is_worth_factoring(const FactorWork& work, const SystemSize& size, int64_t solves);

/// The same for a matrix: as the estimate of its work says, or a count up to kDirectUpTo where that leaves it open. The
/// estimate takes milliseconds, a count a fifth of the time of the factorization.
bool is_worth_factoring(const CsrMatrix& matrix, int64_t solves);

/// Predicted time of a factorization over that of multigrid, each for one solve: by a count up to kDirectUpTo unknowns,
/// as the estimate may be far too large where few couplings tie many parts.
double predicted_cost_of_factoring(const CsrMatrix& matrix);

}  // namespace gridiron
