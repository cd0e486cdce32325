// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/stress_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridiron {
namespace {

constexpr int kLargest = 12;  ///< of the space

/// In four sums, none of which waits for another.
double product(std::span<const double> volume, std::span<const double> a, std::span<const double> b) {
  constexpr size_t kSums = 4;
  double sum[kSums] = {};
  size_t i = 0;
  for (; i + kSums <= volume.size(); i += kSums)
    for (size_t k = 0; k < kSums; ++k) sum[k] += volume[i + k] * a[i + k] * b[i + k];
  for (; i < volume.size(); ++i) sum[0] += volume[i] * a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// A step of QR with Wilkinson's shift on rows [low, high] of a symmetric tridiagonal matrix, `beside` its diagonal;
/// `vectors`, column by column, turn with it (G. H. Golub, C. F. Van Loan, Matrix Computations).
void turn(std::span<double> diagonal, std::span<double> beside, int low, int high, std::span<double> vectors) {
  const size_t size = diagonal.size();
  const double half = 0.5 * (diagonal[high - 1] - diagonal[high]), corner = beside[high - 1];
  const double shift = diagonal[high] - corner * corner / (half + std::copysign(std::hypot(half, corner), half));
  double x = diagonal[low] - shift, bulge = beside[low];
  for (int k = low; k < high; ++k) {
    const double length = std::hypot(x, bulge);
    const double c = length > 0 ? x / length : 1, s = length > 0 ? bulge / length : 0;
    if (k > low) beside[k - 1] = length;
    const double a = diagonal[k], b = beside[k], d = diagonal[k + 1];
    diagonal[k] = c * c * a + 2 * c * s * b + s * s * d;
    diagonal[k + 1] = s * s * a - 2 * c * s * b + c * c * d;
    beside[k] = c * s * (d - a) + (c * c - s * s) * b;
    if (k + 1 < high) {
      x = beside[k], bulge = s * beside[k + 1];
      beside[k + 1] *= c;
    }
    double *const one = vectors.data() + k * size, *const other = one + size;
    for (size_t i = 0; i < size; ++i) {
      const double before = one[i];
      one[i] = c * before + s * other[i];
      other[i] = c * other[i] - s * before;
    }
  }
}

/// The eigenvalues of such a matrix take the place of its diagonal.
void diagonalise(std::span<double> diagonal, std::span<double> beside, std::span<double> vectors) {
  constexpr int kMostSteps = 1000;
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const auto is_cut = [&](int k) {
    return std::abs(beside[k]) <= kRounding * (std::abs(diagonal[k]) + std::abs(diagonal[k + 1]));
  };
  int high = static_cast<int>(diagonal.size()) - 1;
  for (int step = 0; step < kMostSteps && high > 0; ++step) {
    while (high > 0 && is_cut(high - 1)) --high;
    int low = high;
    while (low > 0 && !is_cut(low - 1)) --low;
    if (low < high) turn(diagonal, beside, low, high, vectors);
  }
}

}  // namespace

StressModes::StressModes(const StressMesh& mesh, double residual_pa, double scale) : mesh_(&mesh) {
  constexpr double kShift = 0.2;  // of the time, which serves shorter and longer ones alike
  const std::span<const double> volume = mesh.volume_um3(), drive = mesh.drive_pa();
  std::vector<double> first(drive.begin(), drive.end());
  double whole = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    first[i] += residual_pa;
    whole += volume[i];
    mean_ += volume[i] * first[i];
  }
  mean_ /= whole;
  for (double& potential : first) potential -= mean_;
  norm_ = std::sqrt(product(volume, first, first));
  basis_.push_back(std::move(first));
  span_space(kShift * scale);
  const int size = static_cast<int>(diagonal_.size());
  all_ = find_modes(size, kShift * scale);
  most_ = find_modes(std::max(1, size - (size + 3) / 4), kShift * scale);
}

/// By Lanczos' recurrence.
void StressModes::span_space(double shift) {
  constexpr double kNothing = 1e-12;  // so little of a vector that is of norm 1 at most is rounding
  const std::span<const double> volume = mesh_->volume_um3();
  std::vector<double> surplus(volume.begin(), volume.end());
  for (double& of_node : surplus) of_node /= shift;
  GraphFactor factor(mesh_->elimination());
  factor.factor(surplus, mesh_->weight_um());
  if (!(norm_ > 0)) return;
  for (double& value : basis_.back()) value /= norm_;
  for (int k = 0; k < kLargest; ++k) {
    const std::vector<double>& last = basis_[k];
    std::vector<double> next = last;
    for (size_t i = 0; i < next.size(); ++i) next[i] *= surplus[i];
    factor.solve(next);
    const double along = product(volume, next, last);
    const double before = k > 0 ? beside_.back() : 0;
    const std::vector<double>& earlier = basis_[std::max(0, k - 1)];
    for (size_t i = 0; i < next.size(); ++i) next[i] -= along * last[i] + before * earlier[i];
    diagonal_.push_back(along);
    const double rest = std::sqrt(product(volume, next, next));
    if (k + 1 == kLargest || !(rest > kNothing)) break;
    beside_.push_back(rest);
    for (double& value : next) value /= rest;
    basis_.push_back(std::move(next));
  }
}

StressModes::Modes StressModes::find_modes(int size, double shift) const {
  Modes modes;
  modes.size = std::min(size, static_cast<int>(diagonal_.size()));
  if (modes.size == 0) return modes;
  modes.decay.assign(diagonal_.begin(), diagonal_.begin() + modes.size);
  std::vector<double> beside(beside_.begin(), beside_.begin() + (modes.size - 1));
  modes.vectors.resize(static_cast<size_t>(modes.size) * modes.size);
  for (int k = 0; k < modes.size; ++k) modes.vectors[static_cast<size_t>(k) * modes.size + k] = 1;
  diagonalise(modes.decay, beside, modes.vectors);
  for (double& value : modes.decay)  // that of (1 + γ λ)⁻¹ until now, between 0 and 1 but for rounding
    value = value > 0 ? std::max(0.0, 1 / value - 1) / shift : HUGE_VAL;
  return modes;
}

std::vector<double> StressModes::Modes::weights(double time, int power) const {
  std::vector<double> sum(size, 0.0);
  for (int k = 0; k < size; ++k) {
    if (!std::isfinite(decay[k])) continue;
    const double* const vector = vectors.data() + static_cast<ptrdiff_t>(k) * size;
    const double of_mode = vector[0] * std::exp(-decay[k] * time) * (power == 0 ? 1 : decay[k]);
    for (int j = 0; j < size; ++j) sum[j] += of_mode * vector[j];
  }
  return sum;
}

double StressModes::of_node(int32_t node, std::span<const double> weights) const {
  double sum = 0;
  for (size_t j = 0; j < weights.size(); ++j) sum += weights[j] * basis_[j][node];
  return norm_ * sum;
}

double StressModes::stress_pa(int32_t node, double time) const {
  return mean_ + of_node(node, all_.weights(time)) - mesh_->drive_pa()[node];
}

double StressModes::slope(int32_t node, double time) const { return -of_node(node, all_.weights(time, 1)); }

double StressModes::error_pa(int32_t node, double time) const {
  return std::abs(of_node(node, all_.weights(time)) - of_node(node, most_.weights(time)));
}

std::span<const double> StressModes::potentials(double time, int32_t nodes) {
  potential_.assign(nodes, mean_);
  const std::vector<double> weights = all_.weights(time);
  for (size_t j = 0; j < weights.size(); ++j) {
    const double weight = norm_ * weights[j];
    const double* const vector = basis_[j].data();
    for (int32_t n = 0; n < nodes; ++n) potential_[n] += weight * vector[n];
  }
  return potential_;
}

StressModes::Worst StressModes::worst(double time) {
  const std::span<const double> potential = potentials(time, mesh_->nodes()), drive = mesh_->drive_pa();
  Worst worst{0, potential[0] - drive[0]};
  for (int32_t n = 1; n < mesh_->nodes(); ++n)
    if (potential[n] - drive[n] > worst.stress_pa) worst = {n, potential[n] - drive[n]};
  return worst;
}

double StressModes::largest_potential_pa(double time) {
  return *std::ranges::max_element(potentials(time, static_cast<int32_t>(mesh_->volume_um3().size())));
}

}  // namespace gridiron
