// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "grid/finite_volumes.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Adds up parts that f(unknown, part) has filled, one per range of unknowns, in the order of the ranges: the result
/// does not depend on threads.
template <class Part>
Part sum_over(int64_t unknowns, auto&& f) {
  return joined_ranges<Part>(
      unknowns,
      [&](int64_t first, int64_t last) {
        Part part;
        for (int64_t i = first; i < last; ++i) f(i, part);
        return part;
      },
      [](Part& sum, const Part& part) { sum += part; });
}

struct ErrorSums {
  double error = 0, exact = 0, squares = 0, largest = 0;

  void operator+=(const ErrorSums& other) {
    error += other.error;
    exact += other.exact;
    squares += other.squares;
    largest = std::max(largest, other.largest);
  }
};

struct Mean {
  double weighted = 0, volume = 0;

  void operator+=(const Mean& other) {
    weighted += other.weighted;
    volume += other.volume;
  }
};

struct Flows {
  double in = 0, out = 0;

  void operator+=(const Flows& other) {
    in += other.in;
    out += other.out;
  }
};

}  // namespace

PdeError error_against_exact(const PdeModel& model, std::span<const double> solution) {
  const FiniteVolumes volumes(model.grid);
  const auto sums = sum_over<ErrorSums>(volumes.unknowns(), [&](int64_t i, ErrorSums& part) {
    const RegularGrid::Index at = volumes.index_of(i);
    const double exact = model.exact(volumes.place_of(at)), error = std::abs(solution[i] - exact);
    part += {error, std::abs(exact), error * error * volumes.volume_of(at), error};
  });
  return {sums.error / sums.exact, std::sqrt(sums.squares), sums.largest};
}

ScalarField without_mean(const RegularGrid& grid, const ScalarField& field) {
  const FiniteVolumes volumes(grid);
  const auto sums = sum_over<Mean>(volumes.unknowns(), [&](int64_t i, Mean& part) {
    const RegularGrid::Index at = volumes.index_of(i);
    part += {field(volumes.place_of(at)) * volumes.volume_of(at), volumes.volume_of(at)};
  });
  return [field, mean = sums.weighted / sums.volume](const Point& place) { return field(place) - mean; };
}

FlowBalance flow_balance(const PdeModel& model, std::span<const double> solution) {
  const FiniteVolumes volumes(model.grid);
  const auto flows = sum_over<Flows>(volumes.unknowns(), [&](int64_t i, Flows& part) {
    const RegularGrid::Index at = volumes.index_of(i);
    const auto add = [&](double flow) { part += {std::max(flow, 0.0), std::max(-flow, 0.0)}; };
    if (model.source) add(-model.source(volumes.place_of(at)) * volumes.volume_of(at));
    if (!model.spread.empty()) add(-model.spread[0][model.grid.number(at)]);
    if (model.grid.shift != 0) add(model.grid.shift * solution[i] * volumes.volume_of(at));
    if (model.flux)
      volumes.for_each_wall(
          at, [&](int axis, int end, double area, const Point& place) { add(area * model.flux(place, axis, end)); });
    volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
      if (face.neighbour >= 0) return;
      const double beyond = model.boundary ? model.boundary(face.boundary) : 0.0;
      add(face.conductance * (beyond - solution[i]));
    });
  });
  const double larger = std::max(flows.in, flows.out);
  return {flows.in, flows.out, larger > 0 ? std::abs(flows.in - flows.out) / larger : 0.0};
}

}  // namespace gridiron
