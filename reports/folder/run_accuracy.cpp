// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/run_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "reports/folder/run_json.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

void read_certificate(const fs::path& path, const PlainJson& report, RunData& run) {
  const PlainJson& certificate = member(path, report, "certificate");
  const bool is_valid = certificate.value("valid", false);
  run.meets_tolerance =
      is_valid && number_or(certificate, "max_error_v", INFINITY) <= number_or(certificate, "tolerance_v", 0);
  run.bound_v = is_valid ? number_or(certificate, "max_error_v", INFINITY) : INFINITY;
}

/// Names of scenarios, where there are several.
std::vector<std::string> scenario_names(const PlainJson& report) {
  std::vector<std::string> names;
  const PlainJson scenarios = report.value("scenarios", PlainJson::array());
  if (scenarios.size() < 2) return names;
  for (const PlainJson& scenario : scenarios) names.push_back(name_in(scenario.at("name")));
  return names;
}

RunData::Simulation simulation_in(const fs::path& path, const PlainJson& report) {
  const PlainJson& of = member(path, report, "simulation");
  RunData::Simulation simulation;
  simulation.method = member(path, of, "method").get<std::string>();
  simulation.step_s = number_or(of, "step_s", NAN);
  simulation.largest_step_s = number_or(of, "largest_step_s", NAN);
  simulation.start_s = number_or(of, "start_s", 0);
  simulation.stop_s = number_or(of, "stop_s", NAN);
  simulation.steps = of.value("steps", int64_t{0});
  simulation.scenarios = of.value("scenarios", int64_t{1});
  const std::vector<std::string> names = scenario_names(report);
  for (const PlainJson& net : member(path, report, "nets")) {
    RunData::Moment& worst = simulation.worst.emplace_back();
    worst.time_s = number_or(net, "worst_time_s", NAN);
    const double scenario = number_or(net, "worst_scenario", -1);
    if (scenario >= 0 && scenario < static_cast<double>(names.size()))
      worst.scenario = names[static_cast<size_t>(scenario)];
  }
  return simulation;
}

}  // namespace

void read_accuracy(const fs::path& path, const PlainJson& report, RunData& run) {
  if (report.at("schema") == kStaticSchema) return read_certificate(path, report, run);
  const bool is_older = report.at("schema") == kOlderDynamicSchema;
  const PlainJson& accuracy = member(path, report, is_older ? "accuracy" : "certificate");
  run.simulation = simulation_in(path, report);
  run.simulation->is_bound_guaranteed = accuracy.value("accumulated_is_guaranteed", false);
  run.simulation->time_error_v = std::max(number_or(member(path, accuracy, "local_time_error_v"), INFINITY),
                                          number_or(accuracy, "accumulated_time_error_v", 0));
  run.bound_v = accuracy.value(is_older ? "bounded" : "valid", false)
                    ? number_or(accuracy, "accumulated_error_v", INFINITY)
                    : INFINITY;
  run.meets_tolerance = accuracy.value("tolerance_met", false);
}

}  // namespace gridiron
