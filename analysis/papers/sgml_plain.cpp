// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/sgml_plain.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Equation (5) in two dimensions with the factor that makes it consistent, of h = 1: neighbours along an axis and
/// along a diagonal.
const double kSide = 1 / (1 + std::sqrt(2.0)), kCorner = kSide / std::sqrt(2.0);

constexpr int64_t kPointsPerTask = 1 << 14;

}  // namespace

PlainSgml::PlainSgml(int doublings, SgmlReading reading, int relaxations)
    : reading_(reading), doublings_(doublings), relaxations_(relaxations), points_((int64_t{1} << doublings) + 1) {
  for (Field* field : {&u_, &averages_, &spare_, &increments_}) field->assign(points_ * points_, 0.0);
}

double PlainSgml::residual_at(const Field& sources, const Field& u, int64_t at, int64_t step) const {
  const int64_t up = step * points_;
  const double h = static_cast<double>(step) / (points_ - 1);
  const double sides = u[at - step] + u[at + step] + u[at - up] + u[at + up] - 4 * u[at];
  const double corners = u[at - up - step] + u[at - up + step] + u[at + up - step] + u[at + up + step] - 4 * u[at];
  return sources[at] - (kSide * sides + kCorner * corners) / (h * h);
}

PlainSgml::Field PlainSgml::residual(const Field& sources, const Field& e) const {
  Field r(sources.size(), 0.0);
  for (int64_t j = 1; j + 1 < points_; ++j)
    for (int64_t i = 1; i + 1 < points_; ++i) r[j * points_ + i] = residual_at(sources, e, j * points_ + i, 1);
  return r;
}

/// R_λ, equation (3). Beyond the boundary, and on it, sources are zero.
void PlainSgml::average(int64_t distance) {
  ++work_;
  parallel_each(
      points_ - 2,
      [&](int64_t line) {
        const int64_t j = line + 1;
        const auto at = [&](int64_t x, int64_t y) {
          return x < 0 || y < 0 || x >= points_ || y >= points_ ? 0.0 : averages_[y * points_ + x];
        };
        const auto across = [&](int64_t x) { return at(x, j) + (at(x, j - distance) + at(x, j + distance)) / 2; };
        for (int64_t i = 1; i + 1 < points_; ++i)
          spare_[j * points_ + i] = (across(i) + (across(i - distance) + across(i + distance)) / 2) / 4;
      },
      kPointsPerTask / points_ + 1);
  averages_.swap(spare_);
}

/// Algorithm 1, in which m ends at ν - 1 (SgmlReading::more_averages).
void PlainSgml::restrict_sources(const Field& sources, int level) {
  averages_ = sources;
  for (int m = 0; m < level + reading_.more_averages; ++m) average(int64_t{1} << m);
}

/// Algorithm 2. Returns the largest residual of the level's points if it is wanted.
double PlainSgml::relax_and_interpolate(int level, bool is_measured) {
  ++work_;
  const int64_t step = int64_t{1} << level, n = points_;
  const double h = static_cast<double>(step) / (n - 1), diagonal = 4 * (kSide + kCorner) / (h * h);
  const auto residual = [&](int64_t at) { return residual_at(averages_, u_, at, step); };
  const int64_t lines = (n - 1) / step - 1;
  parallel_each(
      lines,
      [&](int64_t line) {
        for (int64_t i = step; i + 1 < n; i += step) {
          const int64_t at = (line + 1) * step * n + i;
          increments_[at] = -reading_.step * residual(at) / diagonal;
        }
      },
      kPointsPerTask / points_ + 1);
  double largest = 0;
  for (int64_t j = step; is_measured && j + 1 < n; j += step)
    for (int64_t i = step; i + 1 < n; i += step) largest = std::max(largest, std::abs(residual(j * n + i)));
  // I_λ: hats of support 2λ; each of the level's own points has its own increment.
  parallel_each(
      n - 2,
      [&](int64_t line) {
        const int64_t j = line + 1, below = j / step * step;
        const double y = static_cast<double>(j - below) / step;
        const auto along_y = [&](int64_t i) {
          const double lower = increments_[below * n + i];
          return y > 0 ? (1 - y) * lower + y * increments_[(below + step) * n + i] : lower;
        };
        for (int64_t left = 0; left + 1 < n; left += step) {
          const double first = along_y(left), last = along_y(left + step);
          for (int64_t k = 0; k < step; ++k) {
            const double x = static_cast<double>(k) / step;
            u_[j * n + left + k] += (1 - x) * first + x * last;
          }
        }
      },
      kPointsPerTask / points_ + 1);
  return largest;
}

PlainSgml::Field PlainSgml::cycle(const Field& sources, const std::function<void(const Visit&)>& visit) {
  u_.assign(u_.size(), 0.0);
  const int64_t begin = work_;
  const auto go_to = [&](int level, int doublings, bool restricts) {
    if (restricts) restrict_sources(sources, level);
    const int count = doublings < 31 ? std::min(relaxations_, 1 << doublings) : relaxations_;
    for (int k = 0; k < count; ++k) {
      const bool is_last = k + 1 == count;
      const Field before = is_last ? u_ : Field();
      const double residual = relax_and_interpolate(level, is_last);
      if (is_last) visit({level, work_ - begin, residual, before});
    }
  };
  for (int level = doublings_ - 1; level >= 0; --level) {
    for (int inner = level; inner >= std::max(level - 1, 0); --inner) go_to(inner, doublings_ - level, true);
    go_to(level, doublings_ - level, true);
  }
  if (reading_.ends_with_given) averages_ = sources;
  go_to(0, doublings_, false);
  return u_;
}

}  // namespace gridiron
