// SPDX-License-Identifier: Apache-2.0
// One grid, many questions: work done for the grid is kept, and each further solve costs only what is new.
//
//   example_session ../examples/two_nets.sp
//   example_session my_chip.sp.bz2
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "analysis/results/summarise.hpp"
#include "analysis/solve/solver.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace {

std::string first_load(const Circuit& circuit) {
  if (circuit.current_sources.size() == 0) throw InputError("this example changes a load, and the netlist has none");
  return circuit.element_name(kCurrentSource, 0);
}

std::string first_resistor(const Circuit& circuit) {
  const std::vector<double>& ohm = circuit.resistors.value;
  const auto found = std::find_if(ohm.begin(), ohm.end(), [](double value) { return value > 0; });
  if (found == ohm.end()) throw InputError("this example changes a resistor, and the netlist has none");
  return circuit.element_name(kResistor, found - ohm.begin());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw InputError("usage: example_session NETLIST");

  // 1. Load once. The design (nets, pads, locations, findings) is immutable and shared by everything below; the system
  //    is what remains to be solved after shorts are merged and series nodes eliminated.
  const auto circuit = std::make_shared<const Circuit>(read_netlist(argv[1]));
  const auto design = make_design(circuit);
  System system(design);
  fmt::print("{} nodes, {} unknowns\n", circuit->node_count() - 1, system.problem()->matrix.rows);

  // 2. Two engines on the same system. Each solution carries its error bound, which limits how far they can differ.
  Solver direct(system, {.engine = "cholmod"}), multigrid(system, {.engine = "aggamg"});
  const Answer first = direct.solve(), second = multigrid.solve();
  double difference_v = 0;
  for (size_t node = 0; node < first.voltage_v.size(); ++node)
    difference_v = std::max(difference_v, std::abs(first.voltage_v[node] - second.voltage_v[node]));
  const double allowed_v = first.certificate.max_error_v + second.certificate.max_error_v;
  fmt::print("cholmod and aggamg differ by {:.1e} V, their bounds allow {:.1e} V\n", difference_v, allowed_v);
  if (difference_v > allowed_v) return 1;

  // 3. A changed load: the factorization is still good, so this costs one solve. Sources go by their names.
  Loads loads(design);
  const std::string source = first_load(*circuit);
  loads.set(source, 2 * circuit->current_sources.value[0]);
  const Answer changed = direct.solve(loads).front();
  for (const NetResult& net : summarise(system, changed).nets)
    fmt::print("with {} doubled: {} drops {:.6f} V at {}\n", source, net.name, net.worst_drop_v,
               circuit->node_name(net.worst_node));

  // 4. 256 load vectors: here every source draws between zero and twice its current. They are solved in blocks, and
  //    solutions arrive one by one, so that memory does not grow with their number.
  constexpr int64_t kVectors = 256;
  Loads many(design, kVectors);
  for (int64_t v = 0; v < kVectors; ++v)
    for (double& amperes : many.vector(v)) amperes *= 2.0 * static_cast<double>(v) / (kVectors - 1);
  WorstCase worst(system);
  direct.solve(many, [&](int64_t, const Answer& answer) { worst.add(answer); });
  for (const NetResult& net : std::move(worst).report({}).nets)
    fmt::print("worst of {} vectors: {} drops {:.6f} V\n", kVectors, net.name, net.worst_drop_v);

  // 5. A changed grid: the engine keeps its ordering and computes new numbers only.
  system.apply(ScaleResistor{.resistor = first_resistor(*circuit), .factor = 1.1});
  direct.update(system);
  direct.solve();
  const Solver::Work& work = direct.work();
  fmt::print("in all {} set-up, {} update and {} load vectors\n", work.setups, work.updates, work.vectors);
  return 0;
} catch (const Error& e) {
  fmt::print(stderr, "{}\n", e.what());
  return static_cast<int>(e.code());
}
