// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/injection_rest.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// A sum whose rounding errors, which are doubles, are summed apart (Neumaier, ZAMM 54, 1974).
struct CarefulSum {
  double sum = 0, errors = 0, size_of_errors = 0;
  int64_t terms = 0;

  void add(double x) {
    const double s = sum + x, part = s - sum;
    const double error = (sum - (s - part)) + (x - part);
    errors += error;
    size_of_errors += std::abs(error);
    sum = s;
    ++terms;
  }
  /// What the sum of the errors can be off by.
  double undecided() const {
    return std::numeric_limits<double>::epsilon() * static_cast<double>(terms) * size_of_errors;
  }
};

}  // namespace

void find_injection_rest(const System& system, const Loads& loads, int64_t v, std::span<const double> injection,
                         std::span<double> rest, std::span<double> undecided) {
  const Sources& sources = system.design()->circuit->current_sources;
  const Merge& merge = system.topology().merge;
  const std::span<const double> given = system.data_error().given_currents, amperes = loads.vector(v);
  std::vector<CarefulSum> sums(injection.size());
  for (size_t i = 0; i < given.size(); ++i) sums[i].add(given[i]);
  for (size_t k = 0; k < amperes.size(); ++k) {
    const int32_t from = merge.group[sources.a[k]], to = merge.group[sources.b[k]];
    if (from < merge.unknowns) sums[from].add(-amperes[k]);
    if (to < merge.unknowns) sums[to].add(amperes[k]);
  }
  parallel_each(std::ssize(injection), [&](int64_t i) {
    sums[i].add(-injection[i]);
    rest[i] = sums[i].sum + sums[i].errors;
    undecided[i] = sums[i].undecided() + std::numeric_limits<double>::epsilon() * std::abs(rest[i]);
  });
}

}  // namespace gridiron
