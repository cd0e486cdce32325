// SPDX-License-Identifier: Apache-2.0
// Parts that hang on pads and ties below the rounding of the diagonals beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "device/checking_device.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/assemble.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

/// Parts of `layers` layers of n × n nodes each. One layer is a mesh; two are wires along x over wires along y, tied
/// where they cross, which leaves nodes three couplings at most.
MergedNetwork parts(int32_t count, int32_t layers, int32_t n, double tie) {
  std::mt19937 random(7);
  MergedNetwork network;
  network.nodes = count * layers * n * n;
  network.pad.assign(network.nodes, 0.0);
  const auto couple = [&](int32_t i, int32_t j, double siemens) {
    network.a.push_back(i);
    network.b.push_back(j);
    network.conductance.push_back(siemens);
  };
  const auto siemens = [&] { return std::pow(10.0, random() % 3); };
  for (int32_t part = 0; part < count; ++part) {
    const int32_t first = part * layers * n * n, upper = first + (layers - 1) * n * n;
    for (int32_t i = 0; i < n * n; ++i) {
      if (i % n + 1 < n) couple(first + i, first + i + 1, siemens());
      if (i + n < n * n) couple(upper + i, upper + i + n, siemens());
      if (layers == 2) couple(first + i, upper + i, siemens());
    }
    network.pad[first + n] = tie / (part + 1);
    if (part > 0) couple(first - 3, first + 5, tie / 3);
  }
  return network;
}

/// Currents that cancel within each part.
std::vector<double> currents(int64_t nodes, int32_t count) {
  std::vector<double> b(nodes, 0.0);
  for (int32_t part = 0; part < count; ++part) {
    const int64_t first = part * nodes / count;
    b[first + 2] = b[first + nodes / count - 1] = 1e-3;
    b[first + nodes / count / 2] = -2e-3;
  }
  return b;
}

void expect_drops_within_parts(int32_t count, int32_t layers, double tie, std::unique_ptr<Engine> engine) {
  SCOPED_TRACE(testing::Message() << count << " parts of " << layers << " layers, " << tie << " S");
  const auto network = std::make_shared<const MergedNetwork>(parts(count, layers, 24, tie));
  Problem problem;
  problem.matrix = assemble(*network);
  problem.structure = PowerGrid{network, Geometry()};
  const auto reference = find_engine("cholmod").make({});
  engine->setup(problem);
  reference->setup(problem);
  const std::vector<double> b = currents(network->nodes, count);
  const auto [x, stats] = test::solve(*engine, problem, b, {.relative_residual = 1e-9});
  const auto expected = test::solve(*reference, problem, b, {.relative_residual = 1e-12}).x;
  EXPECT_TRUE(stats.converged);
  EXPECT_LE(stats.iterations, 30);
  const int32_t size = network->nodes / count;
  double largest = 0, error = 0;
  for (int32_t i = 0; i < network->nodes; ++i) {
    const int32_t anchor = i / size * size;
    const double drop = expected[i] - expected[anchor];
    largest = std::max(largest, std::abs(drop));
    error = std::max(error, std::abs(x[i] - x[anchor] - drop));
  }
  EXPECT_LT(error, 1e-5 * largest);
}

TEST(AggAmgWeakPads, DropsAreSolvedForWhateverHoldsTheParts) {
  for (const int32_t count : {1, 4})
    for (const int32_t layers : {1, 2})
      for (const double tie : {1e-10, 1e-14, 1e-17})
        expect_drops_within_parts(count, layers, tie, find_engine("aggamg").make({}));
}

TEST(AggAmgWeakPads, DevicesWithMemoryOfTheirOwnFindThem) {
  for (const double tie : {1e-10, 1e-17}) expect_drops_within_parts(2, 1, tie, aggamg::make_on<CheckingDevice>({}));
}

}  // namespace
}  // namespace gridiron
