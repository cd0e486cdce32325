// SPDX-License-Identifier: Apache-2.0
// Static IR drop as a library call, step by step.
//
//   example_ir_drop ../examples/two_nets.sp
//   example_ir_drop my_chip.sp.bz2 5%
#include <fmt/format.h>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

int main(int argc, char** argv) try {
  if (argc < 2) throw gridiron::InputError("usage: example_ir_drop NETLIST [LIMIT]");

  // 1. Read the netlist. The circuit holds exactly what the text says.
  const gridiron::Circuit circuit = gridiron::read_netlist(argv[1]);

  // 2. Override defaults: here one microvolt of certified accuracy, and a limit.
  gridiron::IrOptions options;
  options.tolerance_v = 1e-6;
  if (argc > 2) options.limits.push_back(gridiron::parse_limit(argv[2]));

  // 3. Analyse: check, reduce, assemble, set up, solve, certify, recover.
  const gridiron::IrReport result = gridiron::analyse_ir_drop(circuit, options);

  // 4. Use the results. All are in SI units; node ids index every column of the node table.
  for (const gridiron::NetResult& net : result.nets) {
    fmt::print("{}: worst {:.6f} V at {}, average {:.6f} V\n", net.name, net.worst_drop_v,
               circuit.node_name(net.worst_node), net.average_drop_v);
  }
  fmt::print("every voltage is within {:.1e} V of the exact solution\n", result.certificate.max_error_v);

  // 5. Report the verdict to the flow.
  return result.limit_exceeded() ? 1 : 0;
} catch (const gridiron::Error& e) {
  fmt::print(stderr, "{}\n", e.what());
  return static_cast<int>(e.code());
}
