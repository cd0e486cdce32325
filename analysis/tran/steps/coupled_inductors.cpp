// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/coupled_inductors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/model/findings.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// By Gauss and Jordan with pivots from all rows; false where there is none.
bool invert(DenseMatrix& a) {
  const int64_t n = a.n;
  DenseMatrix inverse(n);
  for (int64_t i = 0; i < n; ++i) inverse.at(i, i) = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k; i < n; ++i)
      if (std::abs(a.at(i, k)) > std::abs(a.at(pivot, k))) pivot = i;
    if (!(std::abs(a.at(pivot, k)) > 0)) return false;
    for (int64_t j = 0; j < n; ++j)
      std::swap(a.at(k, j), a.at(pivot, j)), std::swap(inverse.at(k, j), inverse.at(pivot, j));
    const double by = 1 / a.at(k, k);
    for (int64_t j = 0; j < n; ++j) a.at(k, j) *= by, inverse.at(k, j) *= by;
    for (int64_t i = 0; i < n; ++i) {
      const double factor = a.at(i, k);
      if (i == k || factor == 0) continue;
      for (int64_t j = 0; j < n; ++j) a.at(i, j) -= factor * a.at(k, j), inverse.at(i, j) -= factor * inverse.at(k, j);
    }
  }
  a = std::move(inverse);
  return true;
}

/// Whether the coefficients, with 1 on the diagonal, can be those of coils (Cholesky), by more than rounding.
bool is_positive_definite(DenseMatrix a) {
  constexpr double kLeastPivot = 1e-9;
  for (int64_t k = 0; k < a.n; ++k) {
    for (int64_t j = 0; j < k; ++j) a.at(k, k) -= a.at(k, j) * a.at(k, j);
    if (!(a.at(k, k) > kLeastPivot)) return false;
    a.at(k, k) = std::sqrt(a.at(k, k));
    for (int64_t i = k + 1; i < a.n; ++i) {
      for (int64_t j = 0; j < k; ++j) a.at(i, k) -= a.at(i, j) * a.at(k, j);
      a.at(i, k) /= a.at(k, k);
    }
  }
  return true;
}

}  // namespace

std::vector<double> DenseMatrix::times(std::span<const double> x) const {
  std::vector<double> y(static_cast<size_t>(n), 0.0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) y[i] += at(i, j) * x[j];
  return y;
}

CoupledInductors::CoupledInductors(const Circuit& circuit, const Storage& storage) {
  if (circuit.couplings.empty()) return;
  const Elements& l = circuit.inductors;
  std::vector<int64_t> coupled;
  for (const Coupling& k : circuit.couplings)
    for (const int64_t inductor : {k.a, k.b}) {
      if (l.a[inductor] == l.b[inductor] || l.value[inductor] <= 0)
        throw input_error("{}: '{}' is coupled, and {}; leave out the coupling or the inductor",
                          circuit.place(k.origin), shown(circuit.element_name(kInductor, inductor)),
                          l.value[inductor] == 0  ? "has 0 H"
                          : l.value[inductor] < 0 ? "has a negative inductance"
                                                  : "leads from a node to itself");
      coupled.push_back(inductor);
    }
  std::ranges::sort(coupled);
  coupled.erase(std::unique(coupled.begin(), coupled.end()), coupled.end());
  int64_t in_storage = storage.capacitors;
  for (int64_t i = 0, next = 0; i < l.size() && next < std::ssize(coupled); ++i) {
    if (coupled[next] == i) elements_.push_back(in_storage), inductance_.push_back(l.value[i]), ++next;
    if (l.a[i] != l.b[i] && l.value[i] != 0) ++in_storage;
  }
  const auto row = [&](int64_t inductor) { return std::ranges::lower_bound(coupled, inductor) - coupled.begin(); };
  DenseMatrix coefficients(std::ssize(coupled));
  for (int64_t i = 0; i < coefficients.n; ++i) coefficients.at(i, i) = 1;
  for (const Coupling& k : circuit.couplings) {
    double &upper = coefficients.at(row(k.a), row(k.b)), &lower = coefficients.at(row(k.b), row(k.a));
    if (upper != 0)
      throw input_error("{}: '{}' couples two inductors that another card couples, too; leave one out",
                        circuit.place(k.origin), shown(circuit.card_name(k.origin)));
    upper = lower = k.k;
  }
  if (!is_positive_definite(coefficients))
    throw input_error(
        "{}: the coefficients of couplings contradict each other, or one is 1: no coils have them; lower "
        "some",
        circuit.place(circuit.couplings.front().origin));
  inverse_ = coefficients;
  invert(inverse_);
  for (int64_t i = 0; i < inverse_.n; ++i)
    for (int64_t j = 0; j < inverse_.n; ++j) inverse_.at(i, j) /= std::sqrt(inductance_[i] * inductance_[j]);
}

DenseMatrix CoupledInductors::addition(std::span<const double> conductance) const {
  DenseMatrix m = inverse_;
  const double c = conductance[elements_[0]] * inductance_[0];
  for (double& entry : m.entry) entry *= c;
  for (int64_t i = 0; i < m.n; ++i) m.at(i, i) -= conductance[elements_[i]];
  return m;
}

std::vector<double> CoupledInductors::added(const StepSolvers::Slot& slot, std::span<const double> volts) const {
  return addition(slot.conductance).times(volts);
}

/// S is the voltage of each by the current of each, into its node a and out of its node b.
const DenseMatrix& CoupledInductors::correction(StepSolvers::Slot& slot, const StepNodes& nodes) {
  if (const auto known = correction_.find(slot.h); known != correction_.end()) return known->second;
  if (correction_.size() >= StepSolvers::kMost) correction_.clear();
  const int64_t n = std::ssize(elements_), unknowns = nodes.merge.unknowns;
  DenseMatrix s(n);
  std::vector<double> injection(unknowns), volts(unknowns);
  for (int64_t j = 0; j < n; ++j) {
    std::fill(injection.begin(), injection.end(), 0.0);
    std::fill(volts.begin(), volts.end(), 0.0);
    const int32_t a = nodes.group_a[elements_[j]], b = nodes.group_b[elements_[j]];
    if (a < unknowns) injection[a] += 1;
    if (b < unknowns) injection[b] -= 1;
    slot.solver->solve({injection.data(), unknowns}, {volts.data(), unknowns});
    const auto at = [&](int32_t group) { return group < unknowns ? volts[group] : 0.0; };
    for (int64_t i = 0; i < n; ++i) s.at(i, j) = at(nodes.group_a[elements_[i]]) - at(nodes.group_b[elements_[i]]);
  }
  const DenseMatrix m = addition(slot.conductance);
  DenseMatrix all(n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = i == j ? 1 : 0;
      for (int64_t k = 0; k < n; ++k) sum += s.at(i, k) * m.at(k, j);
      all.at(i, j) = sum;
    }
  if (!invert(all)) throw SolverError("the equations of coupled inductors are singular; lower their coefficients");
  return correction_.emplace(slot.h, std::move(all)).first->second;
}

std::vector<double> CoupledInductors::settled(StepSolvers::Slot& slot, const StepNodes& nodes,
                                              std::vector<double> volts) {
  return correction(slot, nodes).times(volts);
}

}  // namespace gridiron
