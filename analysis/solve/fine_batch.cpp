// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/fine_batch.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/certify/error_bound.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

FineBatch::FineBatch(const Certifier& certifier, const Batch& batch) : certifier_(certifier), batch_(batch) {
  if (certifier_.has_levels()) make_room_for_rest();
}

void FineBatch::make_room_for_rest() { rest_.resize(nodes() * columns(), 0.0); }

std::span<double> FineBatch::rest(int64_t v) { return std::span(rest_).subspan(v * nodes(), nodes()); }

FineVoltages FineBatch::voltage(int64_t v) const {
  return {batch_.voltage.column(v),
          rest_.empty() ? std::span<const double>() : std::span(rest_).subspan(v * nodes(), nodes())};
}

FineInjection FineBatch::injection(int64_t v) const {
  if (batch_.injection_rest.rows == 0) return batch_.injection.column(v);
  return {batch_.injection.column(v), batch_.injection_rest.column(v), batch_.injection_undecided.column(v)};
}

bool FineBatch::is_finite(int64_t v) const {
  const std::span<const double> volts = batch_.voltage.column(v);
  double is_not = holds_for_all(nodes(), [&](int64_t i) { return std::isfinite(volts[i]); }) ? 0.0 : 1.0;
  if (const auto& shares = certifier_.system().shares()) shares->largest({&is_not, 1});
  return is_not == 0;
}

double FineBatch::relative_residual(int64_t v) const {
  double sums[] = {0, 0}, &squares = sums[0], &of_injection = sums[1];
  const System& system = certifier_.system();
  const std::span<const double> currents = batch_.injection.column(v);
  for (const double r : residual(v)) squares += r * r;
  for (size_t i = 0; i < currents.size(); ++i)
    if (!system.shares() || system.connected_system()[i] >= 0) of_injection += currents[i] * currents[i];
  if (system.shares()) system.shares()->sum(sums);
  return of_injection > 0 ? std::sqrt(squares / of_injection) : std::sqrt(squares);
}

void FineBatch::settle(int64_t v) {
  if (certifier_.has_levels()) certifier_.settle(injection(v), batch_.voltage.column(v), rest(v));
}

Certificate FineBatch::correct(int64_t v, std::span<const double> correction, double max_error_v) {
  const std::span<double> value = batch_.voltage.column(v), low = rest(v);
  const std::vector<double> value_before(value.begin(), value.end()), low_before(low.begin(), low.end());
  add_unrounded(correction, value, low);
  settle(v);
  const Certificate now = is_finite(v) ? certificate(v) : Certificate{};
  if (now.valid && now.max_error_v <= max_error_v) return now;
  std::ranges::copy(value_before, value.begin());
  std::ranges::copy(low_before, low.begin());
  return {};
}

}  // namespace gridiron
