// SPDX-License-Identifier: Apache-2.0
// Solves a linear system from Matrix Market files with any engine.
//
//   example_solve_matrix ../examples/bridge.mtx
//   example_solve_matrix ../examples/bridge.mtx aggamg ../examples/bridge_rhs.mtx answer.mtx
//   gridiron ir my_chip.sp --dump-system system
//   example_solve_matrix system/matrix.mtx aggamg system/rhs.mtx voltages.mtx
#include <fmt/format.h>

#include "engines/engine.hpp"
#include "engines/matrix_market.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

int main(int argc, char** argv) try {
  if (argc < 2) throw gridiron::InputError("usage: example_solve_matrix MATRIX [ENGINE [RHS|ones [ANSWER]]]");
  const std::string engine_name = argc > 2 ? argv[2] : "auto", rhs_file = argc > 3 ? argv[3] : "ones";

  // 1. Read the matrix. A symmetric file is assumed to be positive definite until an engine finds otherwise. A general
  //    one goes to engines for unsymmetric systems.
  gridiron::MatrixMarketMatrix file = gridiron::read_matrix_market(argv[1]);
  const int64_t n = file.matrix.rows;
  gridiron::Problem problem{
      .matrix = std::move(file.matrix), .symmetric_positive_definite = file.is_symmetric, .structure = {}};

  // 2. Read the right-hand sides, any number of them, or use a single vector of ones.
  gridiron::DenseColumns b{n, 1, std::vector<double>(static_cast<size_t>(n), 1.0)};
  if (rhs_file != "ones") b = gridiron::read_matrix_market_array(rhs_file);
  if (b.rows != n) throw gridiron::InputError(fmt::format("{}: {} rows, the matrix has {}", rhs_file, b.rows, n));

  // 3. Choose an engine: by name, or "auto" for the first that can solve the problem. Its parameters have defaults;
  //    the last argument would change them, as in {{"precision", "double"}}.
  const gridiron::EngineInfo* info = &gridiron::choose_engine(engine_name, problem);
  std::unique_ptr<gridiron::Engine> engine = gridiron::make_engine(*info, gridiron::Context{}, {});

  // 4. Set it up: order and factor the matrix, or build a hierarchy of grids. This is done once per matrix. If it turns
  //    out not to be positive definite, "auto" turns to an engine for any matrix.
  const auto shared = std::make_shared<gridiron::Problem>(std::move(problem));
  try {
    engine->setup(shared);
  } catch (const gridiron::SolverError&) {
    if (engine_name != "auto" || !shared->symmetric_positive_definite) throw;
    shared->symmetric_positive_definite = false;
    info = &gridiron::choose_engine(engine_name, *shared);
    engine = gridiron::make_engine(*info, gridiron::Context{}, {});
    engine->setup(shared);
  }

  // 5. Solve for all right-hand sides at once. x holds the initial guess, here zero, and then the solution.
  std::vector<double> x(b.values.size(), 0.0);
  const gridiron::SolveStats stats =
      engine->solve({b.values.data(), n, b.columns}, {x.data(), n, b.columns}, {.relative_residual = 1e-10});
  for (const gridiron::ColumnStats& column : stats.columns)
    fmt::print("{}: {} iterations, relative residual {:.1e}\n", info->name, column.iterations,
               column.relative_residual);
  if (!stats.converged) throw gridiron::SolverError("not converged: try another engine, such as superlu");

  // 6. Write the solution; the file is written atomically.
  if (argc > 4) {
    gridiron::OutputFile answer(argv[4]);
    gridiron::write_matrix_market_array(answer, n, x);
    answer.commit();
  }
  return 0;
} catch (const gridiron::Error& e) {
  fmt::print(stderr, "{}\n", e.what());
  return static_cast<int>(e.code());
}
