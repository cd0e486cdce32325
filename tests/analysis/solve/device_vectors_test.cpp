// SPDX-License-Identifier: Apache-2.0
// Vectors that are reduced, recovered and judged in the memory of an engine's device, against the host's.
#include "analysis/solve/device_vectors_on.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "support/error.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::design_of;
using test::on_cpu;

/// Two nets of n × n nodes whose wires and ways to the pads have nodes in series, a branch that dangles, a hub, and
/// parts that float.
std::shared_ptr<const Design> grid(int n) {
  std::mt19937 random(7);
  const auto ohm = [&] { return std::uniform_real_distribution(0.1, 2.0)(random); };
  std::string deck = "* t\nvdd s 0 1.1\nvss g 0 0.1\nrf f1 f2 1\nrf2 f2 f3 1\nrf3 f3 f1 1\n";
  int k = 0;
  for (const char net : {'v', 'w'}) {
    const auto node = [&](int x, int y) { return fmt::format("{}{}_{}", net, x, y); };
    const auto wire = [&](const std::string& a, const std::string& b) {
      ++k;
      if (k % 3 != 0) {
        deck += fmt::format("r{} {} {} {}\n", k, a, b, ohm());
      } else {
        deck +=
            fmt::format("r{0} {1} m{0} {2}\nrm{0} m{0} p{0} {3}\nrp{0} p{0} {4} {5}\n", k, a, ohm(), ohm(), b, ohm());
        if (k % 2 == 0) deck += fmt::format("rd{0} m{0} d{0} {1}\nid{0} d{0} 0 2m\n", k, ohm());
      }
    };
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        if (x > 0) wire(node(x - 1, y), node(x, y));
        if (y > 0) wire(node(x, y - 1), node(x, y));
        if ((x + 2 * y) % 4 == 0) wire(node(x, y), fmt::format("{}hub", net));
        deck += fmt::format("i{} {} 0 {}m\n", ++k, node(x, y), (x + y) % 3);
      }
    deck += fmt::format("rpad{0} {1} {2} 0.3\n", net, node(0, 0), net == 'v' ? "s" : "g");
  }
  return design_of(deck);
}

Loads loads_of(const std::shared_ptr<const Design>& design, int64_t vectors) {
  Loads loads(design, vectors);
  for (int64_t v = 0; v < vectors; ++v) {
    double factor = 1 + 0.3 * static_cast<double>(v);
    for (double& amperes : loads.vector(v)) amperes *= factor = std::fmod(factor + 0.37, 2.0);
  }
  return loads;
}

template <class D>
class DeviceVectorsOnDevice : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(DeviceVectorsOnDevice, Devices);

TYPED_TEST(DeviceVectorsOnDevice, GiveWhatTheHostDoes) {
  for (const int n : {1, 2, 12, 100})  // the last of several blocks of the elimination
    for (const int64_t k : {1, 3}) {
      const auto design = grid(n);
      const System system(design);
      const Loads loads = loads_of(design, k);
      ErrorBound bound = error_bound(system);
      const int64_t nodes = system.network().nodes;
      Solver solver(system, {.engine = "cholmod"}, on_cpu());
      std::vector<double> w(nodes, 0.0);
      const std::vector<double> ones(nodes, 1.0);
      solver.solve({ones.data(), nodes, 1}, {w.data(), nodes, 1});
      ASSERT_TRUE(bound.set_barrier(w));

      const Elimination& elimination = system.elimination();
      const auto unknowns = std::ssize(elimination.kept), steps = std::ssize(elimination.steps);
      std::vector<double> injection, arrived(steps * k), b(unknowns * k), x(unknowns * k), volts(nodes * k);
      std::mt19937 random(3);
      for (double& value : x) value = std::uniform_real_distribution(0.0, 0.1)(random);
      for (int64_t j = 0; j < k; ++j) {
        const std::vector<double> of_vector = system.injection(loads, j);
        injection.insert(injection.end(), of_vector.begin(), of_vector.end());
        const auto column = [j](std::vector<double>& block, int64_t rows) {
          return std::span(block).subspan(j * rows, rows);
        };
        elimination.reduce(of_vector, column(arrived, steps), column(b, unknowns));
        elimination.recover(column(arrived, steps), column(x, unknowns), column(volts, nodes));
      }

      DeviceVectorsOn<TypeParam> vectors;
      vectors.take(elimination, system.network(), bound);
      for (int round = 0; round < 2; ++round) {
        const DeviceVectors::Blocks blocks = vectors.reduce({injection.data(), nodes, k});
        ASSERT_EQ(blocks.b.rows, unknowns);
        ASSERT_EQ(blocks.b.columns, k);
        EXPECT_TRUE(std::equal(b.begin(), b.end(), blocks.b.data)) << n << " x " << k;
        std::copy(x.begin(), x.end(), blocks.x.data);
        std::vector<double> recovered(nodes * k, -1.0);
        vectors.recover({recovered.data(), nodes, k});
        EXPECT_EQ(recovered, volts) << n << " x " << k;
        const std::vector<FineResidual> residuals = vectors.residuals();
        ASSERT_EQ(std::ssize(residuals), k);
        for (int64_t j = 0; j < k; ++j) {
          const auto column = [&](const std::vector<double>& block) {
            return std::span(block).subspan(j * nodes, nodes);
          };
          const ErrorBound::Result there = bound.bound(residuals[j]),
                                   here = bound.bound(column(volts), column(injection));
          EXPECT_EQ(there.max_residual_a, here.max_residual_a);
          EXPECT_EQ(there.rounding_v, here.rounding_v);
          EXPECT_NEAR(there.max_error_v, here.max_error_v, 1e-14 * here.max_error_v);
          EXPECT_GE(there.max_error_v, here.max_error_v * (1 - 1e-15));
        }
      }
    }
}

TYPED_TEST(DeviceVectorsOnDevice, ReduceUnitsAsAnyInjection) {
  for (const int n : {1, 12, 100}) {
    const auto design = grid(n);
    const System system(design);
    const int64_t nodes = system.network().nodes;
    DeviceVectorsOn<TypeParam> vectors;
    vectors.take(system.elimination(), system.network(), error_bound(system));
    const std::vector<int32_t> into{0, -1, static_cast<int32_t>(nodes - 1), static_cast<int32_t>(nodes / 2)};
    const auto k = std::ssize(into);
    std::vector<double> injection(nodes * k, 0.0);
    for (int64_t j = 0; j < k; ++j)
      if (into[j] >= 0) injection[j * nodes + into[j]] = 1;
    const auto reduced = [&](const DeviceVectors::Blocks& blocks) {
      EXPECT_EQ(blocks.b.columns, k);
      return std::vector<double>(blocks.b.data, blocks.b.data + blocks.b.rows * k);
    };
    const std::vector<double> plain = reduced(vectors.reduce({injection.data(), nodes, k}));
    EXPECT_EQ(reduced(vectors.reduce_units(into)), plain) << n;
  }
}

TYPED_TEST(DeviceVectorsOnDevice, NotANumberIsInfinite) {
  const auto design = grid(4);
  const System system(design);
  ErrorBound bound = error_bound(system);
  const int64_t nodes = system.network().nodes;
  Solver solver(system, {.engine = "cholmod"}, on_cpu());
  std::vector<double> w(nodes, 0.0), volts(nodes);
  const std::vector<double> ones(nodes, 1.0);
  solver.solve({ones.data(), nodes, 1}, {w.data(), nodes, 1});
  ASSERT_TRUE(bound.set_barrier(w));
  DeviceVectorsOn<TypeParam> vectors;
  vectors.take(system.elimination(), system.network(), bound);
  const DeviceVectors::Blocks blocks = vectors.reduce({ones.data(), nodes, 1});
  std::fill_n(blocks.x.data, blocks.x.rows, 0.0);
  blocks.x.data[blocks.x.rows / 2] = NAN;
  vectors.recover({volts.data(), nodes, 1});
  const FineResidual residual = vectors.residuals().front();
  EXPECT_FALSE(residual.is_finite());
  EXPECT_TRUE(std::isinf(bound.bound(residual).max_error_v));
}

/// Counts what is asked of it, and fails where it is told to.
struct Asked {
  int takes = 0, reductions = 0, residuals = 0;
  bool has_tables = true, has_vectors = true, has_voltages = true, has_sums = true;
};
class Counted final : public DeviceVectors {
 public:
  explicit Counted(Asked& asked) : asked_(asked), inner_(make_vectors_on_host()) {}
  bool is_on_gpu() const override { return false; }
  void* stream() const override { return nullptr; }
  int64_t bytes() const override { return inner_->bytes(); }
  void take(const Elimination& elimination, const MergedNetwork& network, const ErrorBound& bound) override {
    ++asked_.takes;
    if (!asked_.has_tables) throw ResourceError("no memory for tables");
    inner_->take(elimination, network, bound);
  }
  void release() override { inner_->release(); }
  void release_vectors() override { inner_->release_vectors(); }
  Blocks reduce(Block<const double> injection) override {
    ++asked_.reductions;
    if (!asked_.has_vectors) throw ResourceError("no memory for vectors");
    return inner_->reduce(injection);
  }
  Blocks reduce_units(std::span<const int32_t> nodes) override {
    ++asked_.reductions;
    if (!asked_.has_vectors) throw ResourceError("no memory for vectors");
    return inner_->reduce_units(nodes);
  }
  void recover(Block<double> voltage) override {
    if (!asked_.has_voltages) throw ResourceError("no memory for voltages");
    inner_->recover(voltage);
  }
  std::vector<FineResidual> residuals() override {
    ++asked_.residuals;
    if (!asked_.has_sums) throw ResourceError("no memory for sums");
    return inner_->residuals();
  }

 private:
  Asked& asked_;
  std::unique_ptr<DeviceVectors> inner_;
};

MakeVectors counted(Asked& asked) {
  return [&asked](bool, void*) { return std::make_unique<Counted>(asked); };
}
std::unique_ptr<DeviceVectors> none(bool, void*) { return nullptr; }

void expect_same(const std::vector<Answer>& there, const std::vector<Answer>& here) {
  ASSERT_EQ(there.size(), here.size());
  for (size_t v = 0; v < there.size(); ++v) {
    EXPECT_EQ(there[v].voltage_v, here[v].voltage_v) << v;
    EXPECT_TRUE(there[v].certificate.valid);
    EXPECT_EQ(there[v].certificate.max_residual_a, here[v].certificate.max_residual_a);
    EXPECT_NEAR(there[v].certificate.max_error_v, here[v].certificate.max_error_v,
                1e-14 * here[v].certificate.max_error_v);
    EXPECT_EQ(there[v].stats.iterations, here[v].stats.iterations);
  }
}

TEST(SolverWithDeviceVectors, UsesThemWhereASystemIsSolvedAgain) {
  const auto design = grid(30);
  for (const char* engine : {"cholmod", "aggamg"}) {
    Asked asked;
    const SolverOptions options{.engine = engine};
    Solver there(System(design), options, on_cpu(), counted(asked)), here(System(design), options, on_cpu(), none);
    expect_same(there.solve(Loads(design)), here.solve(Loads(design)));
    EXPECT_EQ(asked.takes, 0) << "tables for one vector";
    expect_same(there.solve(loads_of(design, 1)), here.solve(loads_of(design, 1)));
    expect_same(there.solve(loads_of(design, 2)), here.solve(loads_of(design, 2)));
    EXPECT_EQ(asked.takes, 1);
    EXPECT_EQ(asked.reductions, 2);
    EXPECT_EQ(asked.residuals, 2);

    System edited = here.system();
    edited.apply(ScaleResistor{"rpadv", 1.5});
    there.update(edited);
    here.update(edited);
    expect_same(there.solve(Loads(design)), here.solve(Loads(design)));
    EXPECT_EQ(asked.takes, 1) << "tables for one vector";
    expect_same(there.solve(Loads(design)), here.solve(Loads(design)));
    EXPECT_EQ(asked.takes, 2) << "tables of the system before the edit";
    there.release();
    here.release();
    expect_same(there.solve(loads_of(design, 3)), here.solve(loads_of(design, 3)));
    EXPECT_EQ(asked.takes, 3);
  }
}

TEST(SolverWithDeviceVectors, StaysOnTheHostWithoutRoom) {
  const auto design = grid(20);
  for (bool Asked::*const has : {&Asked::has_tables, &Asked::has_vectors, &Asked::has_voltages, &Asked::has_sums}) {
    Asked asked;
    asked.*has = false;
    const SolverOptions options{.engine = "aggamg"};
    Solver there(System(design), options, on_cpu(), counted(asked)), here(System(design), options, on_cpu(), none);
    for (int round = 0; round < 2; ++round)
      expect_same(there.solve(loads_of(design, 3)), here.solve(loads_of(design, 3)));
    EXPECT_EQ(asked.takes, 1) << "it asks again for what it did not get";
    EXPECT_EQ(asked.residuals, has == &Asked::has_sums ? 1 : 0);
  }
}

TEST(SolverWithDeviceVectors, RefinesOnTheHostWhatMissesTheTolerance) {
  const auto design = grid(30);
  Asked asked;
  const SolverOptions options{.engine = "aggamg", .tolerance_v = 1e-13};
  Solver there(System(design), options, on_cpu(), counted(asked)), here(System(design), options, on_cpu(), none);
  const std::vector<Answer> answers = there.solve(loads_of(design, 2));
  EXPECT_EQ(asked.residuals, 1);
  expect_same(answers, here.solve(loads_of(design, 2)));
}

/// A node that a source holds, ones that it ties to, and ones anywhere.
std::vector<NodeId> nodes_to_drive(const Design& design) {
  std::vector<NodeId> nodes;
  for (const char* name : {"s", "v0_0", "vhub", "w7_3"}) nodes.push_back(design.circuit->nodes.find(name));
  return nodes;
}

void expect_same(const std::vector<UnitResponse>& there, const std::vector<UnitResponse>& here) {
  ASSERT_EQ(there.size(), here.size());
  for (size_t k = 0; k < there.size(); ++k) {
    EXPECT_EQ(there[k].node, here[k].node);
    EXPECT_EQ(there[k].ohm, here[k].ohm) << k;
    EXPECT_NEAR(there[k].error_ohm, here[k].error_ohm, 1e-14 * here[k].error_ohm);
  }
}

TEST(SolverWithDeviceVectors, RespondsToUnitCurrents) {
  const auto design = grid(30);
  const std::vector<NodeId> nodes = nodes_to_drive(*design);
  for (bool Asked::*const lacks : {static_cast<bool Asked::*>(nullptr), &Asked::has_tables, &Asked::has_vectors,
                                   &Asked::has_voltages, &Asked::has_sums})
    for (const char* engine : {"cholmod", "aggamg"}) {
      Asked asked;
      if (lacks) asked.*lacks = false;
      const SolverOptions options{.engine = engine};
      Solver there(System(design), options, on_cpu(), counted(asked)), here(System(design), options, on_cpu(), none);
      for (int round = 0; round < 2; ++round) expect_same(there.respond(nodes), here.respond(nodes));
      EXPECT_EQ(asked.takes, lacks ? 2 : 1);
      EXPECT_EQ(asked.residuals, !lacks || lacks == &Asked::has_sums ? 2 : 0);
      expect_same(there.solve(loads_of(design, 2)), here.solve(loads_of(design, 2)));
      EXPECT_EQ(asked.takes, lacks ? 3 : 1) << "solves do not try for themselves";
    }
}

TEST(SolverWithDeviceVectors, RespondsAsExactlyAsAskedFor) {
  const auto design = grid(30);
  const std::vector<NodeId> nodes = nodes_to_drive(*design);
  const auto largest_error = [](const std::vector<UnitResponse>& responses) {
    double largest = 0;
    for (const UnitResponse& response : responses) largest = std::max(largest, response.error_ohm);
    return largest;
  };
  Asked asked;
  for (const MakeVectors& keep : {counted(asked), MakeVectors(none)}) {
    Solver solver(System(design), {.engine = "aggamg"}, on_cpu(), keep);
    const double before = largest_error(solver.respond(nodes)), wanted = before / 30;
    EXPECT_LE(largest_error(solver.respond(nodes, wanted)), wanted);
    EXPECT_EQ(largest_error(solver.respond(nodes, 30 * before)), before);
  }
}

TEST(DeviceVectorsOnTheGpu, RespondsToUnitCurrents) {
  if (cuda_state() != Cuda::ready) GTEST_SKIP() << "no GPU";
  const auto design = grid(60);
  const std::vector<NodeId> nodes = nodes_to_drive(*design);
  Solver host(System(design), {.engine = "cholmod"}, on_cpu());
  Context context;
  context.device = "cuda";
  Solver gpu(System(design), {.engine = "aggamg"}, context);
  const std::vector<UnitResponse> there = gpu.respond(nodes), here = host.respond(nodes);
  for (size_t k = 0; k < nodes.size(); ++k) {
    EXPECT_LT(there[k].error_ohm, 1e-6);
    for (size_t n = 0; n < here[k].ohm.size(); ++n)
      ASSERT_NEAR(there[k].ohm[n], here[k].ohm[n], there[k].error_ohm + here[k].error_ohm) << n << " of " << k;
  }
}

TEST(DeviceVectorsOnTheGpu, GiveAnswersThatTheHostBounds) {
  if (cuda_state() != Cuda::ready) GTEST_SKIP() << "no GPU";
  const auto design = grid(60);
  const System system(design);
  Solver host(system, {.engine = "cholmod"}, on_cpu());
  Context context;
  context.device = "cuda";
  System edited = system;
  edited.apply(AddPad{"v3_7", 1.1, 0.4});
  Solver gpu(system, {.engine = "aggamg"}, context);
  for (const System& grid : {system, edited}) {
    gpu.update(grid);
    host.update(grid);
    for (const int64_t vectors : {1, 1, 9}) {
      const Loads loads = loads_of(design, vectors);
      const std::vector<Answer> there = gpu.solve(loads), here = host.solve(loads);
      for (int64_t v = 0; v < vectors; ++v) {
        ASSERT_TRUE(there[v].certificate.valid);
        EXPECT_LE(there[v].certificate.max_error_v, 10e-6);
        for (size_t n = 0; n < here[v].voltage_v.size(); ++n)
          ASSERT_NEAR(there[v].voltage_v[n], here[v].voltage_v[n], there[v].certificate.max_error_v + 1e-12)
              << "node " << n << " of vector " << v;
      }
    }
    gpu.release_vectors();
  }
}

}  // namespace
}  // namespace gridiron
