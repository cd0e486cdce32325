// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/known_solution.hpp"

#include <cmath>
#include <numbers>

namespace gridiron {
namespace {

/// A function of one variable with its first two derivatives.
struct Profile {
  double value, slope, curvature;
};

Profile bump(double t) { return {t * t * (1 - t * t), 2 * t - 4 * t * t * t, 2 - 12 * t * t}; }

Profile wave(double t) {
  constexpr double k = std::numbers::pi;
  return {std::cos(k * t), -k * std::sin(k * t), -k * k * std::cos(k * t)};
}

/// factor × the product of one profile per axis.
KnownSolution product(int dimensions, double factor, Profile (*profile)(double)) {
  const auto derivatives = [=](const Point& p, double Profile::*along) {
    Point result{};
    for (int axis = 0; axis < dimensions; ++axis) {
      result[axis] = factor;
      for (int other = 0; other < dimensions; ++other)
        result[axis] *= other == axis ? profile(p[other]).*along : profile(p[other]).value;
    }
    return result;
  };
  KnownSolution u;
  u.value = [=](const Point& p) {
    double value = factor;
    for (int axis = 0; axis < dimensions; ++axis) value *= profile(p[axis]).value;
    return value;
  };
  u.gradient = [=](const Point& p) { return derivatives(p, &Profile::slope); };
  u.curvature = [=](const Point& p) { return derivatives(p, &Profile::curvature); };
  return u;
}

}  // namespace

KnownSolution polynomial_bump(int dimensions) { return product(dimensions, -1, bump); }

KnownSolution cosine_waves(int dimensions) { return product(dimensions, 1, wave); }

Conductivity constant_conductivity(double value) {
  return {[value](const Point&) { return value; }, [](const Point&) { return Point{}; }};
}

ScalarField source_of(const KnownSolution& u, const Conductivity& sigma, const Point& factors, double shift) {
  return [=](const Point& p) {
    const Point along = sigma.gradient(p), slope = u.gradient(p), curvature = u.curvature(p);
    const double value = sigma.value(p);
    double f = shift == 0 ? 0.0 : shift * u.value(p);
    for (int axis = 0; axis < 3; ++axis) f += factors[axis] * (along[axis] * slope[axis] + value * curvature[axis]);
    return f;
  };
}

}  // namespace gridiron
