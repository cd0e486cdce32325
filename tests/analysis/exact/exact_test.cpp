// SPDX-License-Identifier: Apache-2.0
// Random circuits against their solution in rational numbers: what an engine certifies is true, and enough is
// certified.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/analysis/exact/exact_solution.hpp"

namespace gridiron {
namespace {

using test::ExactSolution;
using test::RandomCircuit;
using test::Rational;

/// 500, or as many as the environment says: GRIDIRON_EXACT_CIRCUITS=10000 takes two minutes.
int circuits() {
  const char* wanted = std::getenv("GRIDIRON_EXACT_CIRCUITS");
  return wanted ? std::atoi(wanted) : 500;
}

/// With GRIDIRON_EXACT_TELL set, why an engine gave up on a circuit is printed.
bool is_told() { return std::getenv("GRIDIRON_EXACT_TELL") != nullptr; }

/// What each engine must certify of the circuits that can be analysed.
const std::map<std::string, double> kEngines = {
    {"cholmod", 0.95}, {"superlu", 0.95}, {"aggamg", 0.8}, {"gpuhmd", 0.8}, {"sgml", 0.8}};

struct Count {
  int certified = 0, circuits = 0;

  void add(bool is_certified) {
    certified += is_certified;
    ++circuits;
  }
};

/// A circuit, its exact voltages, and what the engines make of it.
class Trial {
 public:
  explicit Trial(int seed)
      : seed_(seed),
        random_(static_cast<uint64_t>(seed)),
        exact_(random_),
        circuit_(read_netlist_text(random_.deck())) {
    options_.context.device = "cpu";
    options_.context.threads = 1;
    if (!exact_.is_analysable()) return;
    find_nodes();
    // 10 uV, and of hundreds of volts a millionth.
    double largest = 0;
    for (const auto& [node, volts] : exact_volts_) largest = std::max(largest, std::abs(volts.convert_to<double>()));
    options_.tolerance_v = std::max(10e-6, 1e-6 * largest);
    fits_doubles_ = exact_.bound_of_rounding(random_.supply()) <= options_.tolerance_v;
  }

  /// Some node has a voltage, and none that floats has a load.
  bool is_analysable() const { return exact_.is_analysable() && !exact_volts_.empty(); }
  bool fits_doubles() const { return fits_doubles_; }

  void expect_refusal() {
    EXPECT_THROW(analyse_ir_drop(circuit_, options_), GridError) << "circuit " << seed_ << '\n' << random_.deck();
  }

  /// Whether the tool would exit with code 0.
  bool is_certified_by(const std::string& engine) {
    options_.engine = engine;
    std::string miss;
    try {
      const IrReport report = analyse_ir_drop(circuit_, options_);
      miss = tolerance_miss(report, options_);
      if (miss.empty()) expect_truth(engine, report);
    } catch (const SolverError& e) {
      miss = e.what();
    }
    if (!miss.empty() && is_told())
      fmt::print("circuit {}{}, {}: {}\n", seed_, fits_doubles_ ? "" : " beyond double precision", engine, miss);
    return miss.empty();
  }

 private:
  void find_nodes() {
    for (NodeId id = 0; id < circuit_.node_count(); ++id) id_of_[std::string(circuit_.node_name(id))] = id;
    for (int node = 1; node < random_.nodes(); ++node) {
      const auto id = id_of_.find(RandomCircuit::name(node));
      const auto volts = exact_.voltage(node);
      if (id != id_of_.end() && volts) exact_volts_.emplace(id->second, *volts);
    }
  }

  void expect_truth(const std::string& engine, const IrReport& report) {
    Rational error = 0;
    for (const auto& [node, volts] : exact_volts_)
      error = std::max<Rational>(error, abs(Rational(report.nodes.voltage_v[node]) - volts));
    EXPECT_LE(error, Rational(report.certificate.max_error_v))
        << "circuit " << seed_ << ", " << engine << ": off by " << error.convert_to<double>() << " V, bound "
        << report.certificate.max_error_v << " V\n"
        << random_.deck();
    EXPECT_LE(error, Rational(options_.tolerance_v)) << "circuit " << seed_ << ", " << engine;
  }

  int seed_;
  RandomCircuit random_;
  ExactSolution exact_;
  Circuit circuit_;
  IrOptions options_;
  bool fits_doubles_ = false;
  std::map<std::string, NodeId> id_of_;
  std::map<NodeId, Rational> exact_volts_;
};

TEST(Exact, WhatIsCertifiedIsTrueAndEnoughIs) {
  std::map<std::string, Count> of_all, of_fitting;
  int refused = 0;
  for (int seed = 0; seed < circuits(); ++seed) {
    Trial trial(seed);
    if (!trial.is_analysable()) {
      ++refused;
      trial.expect_refusal();
      continue;
    }
    for (const auto& [engine, least] : kEngines) {
      const bool is_certified = trial.is_certified_by(engine);
      of_all[engine].add(is_certified);
      if (trial.fits_doubles()) of_fitting[engine].add(is_certified);
    }
  }
  fmt::print("{} circuits refused\n", refused);
  for (const auto& [engine, least] : kEngines) {
    const Count fitting = of_fitting[engine], all = of_all[engine];
    fmt::print("{}: certifies {} of {} circuits that double precision can hold, {} of all {}\n", engine,
               fitting.certified, fitting.circuits, all.certified, all.circuits);
    EXPECT_GE(all.certified, least * all.circuits) << engine;
    EXPECT_GE(fitting.certified, least * fitting.circuits) << engine;
  }
  EXPECT_GT(of_fitting["cholmod"].circuits, 0.7 * of_all["cholmod"].circuits) << "the circuits are too hard";
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace gridiron
