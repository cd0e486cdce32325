// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/dump_system.hpp"

#include <system_error>

#include "engines/matrix_market.hpp"
#include "support/output_file.hpp"

namespace gridiron {

void dump_system(const Problem& problem, std::span<const double> rhs, std::span<const double> reference,
                 std::span<const std::string> names, const OutputPath& folder) {
  make_directory(folder);
  const OutputPath paths[] = {folder / "matrix.mtx", folder / "rhs.mtx", folder / "reference.mtx",
                              folder / "names.txt"};
  const auto remove_all = [&] {
    std::error_code is_not_there;
    for (const OutputPath& path : paths) std::filesystem::remove(path, is_not_there);
  };
  if (!folder.list()) remove_all();

  OutputFile matrix_file(paths[0]), rhs_file(paths[1]), reference_file(paths[2]), names_file(paths[3]);
  write_matrix_market(matrix_file, problem.matrix, problem.symmetric_positive_definite);
  write_matrix_market_array(rhs_file, problem.matrix.rows, rhs);
  write_matrix_market_array(reference_file, problem.matrix.rows, reference);
  for (const std::string& name : names) {
    names_file.write(name);
    names_file.write("\n");
  }
  try {
    for (OutputFile* file : {&matrix_file, &rhs_file, &reference_file, &names_file}) file->commit();
  } catch (...) {
    if (!folder.list()) remove_all();  // two of the three files would look like a complete system
    throw;
  }
}

}  // namespace gridiron
