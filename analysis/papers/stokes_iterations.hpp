// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/papers/paper.hpp"
#include "engines/params.hpp"

namespace gridiron {

/// A preconditioner of the Stokes paper, or ours.
struct StokesPreconditioner {
  const char* name;
  Settings settings;
};

extern const StokesPreconditioner kVanka, kSimpleVanka, kBraessSarazin, kThreeSweeps, kUzawa, kBlockTriangular,
    kStokesDefault;

struct StokesRun {
  double iterations = PaperCell().ours;  ///< NaN where it does not converge
  double seconds = PaperCell().ours;
};

/// Solves of stokes2d to 1e-8 on n × n elements for each size.
class StokesRuns {
 public:
  explicit StokesRuns(std::vector<int64_t> sizes) : sizes_(std::move(sizes)) {}

  void add(const StokesPreconditioner& preconditioner);  ///< one of those above
  const std::vector<const StokesPreconditioner*>& preconditioners() const { return order_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  const std::vector<StokesRun>& of(const StokesPreconditioner& preconditioner) const {
    return runs_.at(&preconditioner);
  }

 private:
  std::vector<int64_t> sizes_;
  std::vector<const StokesPreconditioner*> order_;
  std::map<const StokesPreconditioner*, std::vector<StokesRun>> runs_;
};

/// Iterations of all runs, from 16 x 16 elements on.
PaperTable stokes_iterations(const StokesRuns& runs);

/// What the paper says of iterations, size by size, judged; of runs of kVanka, kSimpleVanka, kBraessSarazin and
/// kThreeSweeps.
PaperTable stokes_iteration_statements(const StokesRuns& runs);

}  // namespace gridiron
