// SPDX-License-Identifier: Apache-2.0
// Engine hypre with its rows shared out among the processes of mpirun. The exit status is 0 when every process has the
// solutions of CHOLMOD.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engines/engine.hpp"
#include "tests/engines/systems.hpp"

namespace {

using namespace gridiron;

/// Of several columns after a setup and after an update, relative to the largest entry.
double worst_error(Problem problem, Settings settings) {
  const auto b = test::random_block(3 * problem.matrix.rows, 1);
  MPI_Comm everybody = MPI_COMM_WORLD;
  const auto reference = find_engine("cholmod").make({}), shared = find_engine("hypre").make(settings);
  shared->set_context({.communicator = &everybody});
  double worst = 0;
  for (int round = 0; round < 2; ++round) {
    if (round == 0) {
      reference->setup(problem);
      shared->setup(problem);
    } else {
      for (double& value : problem.matrix.value) value *= 3;
      reference->update(problem);
      shared->update(problem);
    }
    const auto expected = test::solve(*reference, problem, b).x;
    const auto [x, stats] = test::solve(*shared, problem, b, {.relative_residual = 1e-12});
    if (!stats.converged) return 1;
    double largest = 0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - expected[i]) / largest);
  }
  return worst;
}

/// The same grid as test::poisson(), with places.
Problem placed(int32_t n) {
  Problem problem = test::poisson(n);
  PowerGrid grid{std::make_shared<MergedNetwork>(), {}};
  for (int32_t i = 0; i < n * n; ++i) {
    grid.geometry.x_um.push_back(i % n);
    grid.geometry.y_um.push_back(i / n);
  }
  problem.structure = grid;
  return problem;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, count = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  const auto expect_agreement = [&](const char* what, const Problem& problem, const Settings& settings = {}) {
    const double error = worst_error(problem, settings);
    if (error <= 1e-9) return;
    std::printf("process %d of %d: %s: error %g\n", rank, count, what, error);
    failed = 1;
  };
  expect_agreement("grid with places", placed(70));
  expect_agreement("grid in its own order", placed(70), {{"ordering", "given"}});
  expect_agreement("random graph", test::random_grid(3000, 2, 5));
  expect_agreement("gmres", placed(40), {{"krylov", "gmres"}});
  expect_agreement("one unknown for several processes", test::poisson(1));
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && failed == 0) std::printf("%d processes agree with CHOLMOD\n", count);
  MPI_Finalize();
  return failed;
}
