// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "linalg/csr_matrix.hpp"
#include "support/output_file.hpp"

namespace gridiron {

// Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996). Reading
// errors are InputError "file:line: what; what to do", writing errors ResourceError.

struct MatrixMarketMatrix {
  CsrMatrix matrix;           ///< square, both triangles; duplicate entries are added
  bool is_symmetric = false;  ///< declared so in the file, which holds one triangle
};

/// `coordinate real|integer general|symmetric`.
MatrixMarketMatrix read_matrix_market(const std::filesystem::path& path);

/// Dense vectors, column after column.
struct DenseColumns {
  int64_t rows = 0, columns = 0;
  std::vector<double> values;
};

/// `array real|integer general`.
DenseColumns read_matrix_market_array(const std::filesystem::path& path);

/// Writes the lower triangle as `coordinate real symmetric`, or all entries as `general`; values read back to the same
/// bits. The file is not committed.
void write_matrix_market(OutputFile& file, const CsrMatrix& matrix, bool is_symmetric);

/// Writes `values`, rows × k, column after column, as `array real general`. The file is not committed.
void write_matrix_market_array(OutputFile& file, int64_t rows, std::span<const double> values);

}  // namespace gridiron
