// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gridiron {

/// L2 errors, relative, of linear finite elements for -u'' = f on (0, 1) with u = sin(pi x), u = 0 at both ends, by the
/// number of refinements from 1 on: matrix, right-hand side, factorization and solution in T (float, double or long
/// double), the error in long double (PSC paper, Fig. 6).
template <class T>
std::vector<double> errors_in_one_dimension(int levels);

extern template std::vector<double> errors_in_one_dimension<float>(int);
extern template std::vector<double> errors_in_one_dimension<double>(int);
extern template std::vector<double> errors_in_one_dimension<long double>(int);

}  // namespace gridiron
