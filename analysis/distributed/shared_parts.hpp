// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/distributed/local_circuit.hpp"
#include "analysis/model/part_facts.hpp"
#include "analysis/model/topology.hpp"

namespace gridiron::distributed {

/// What names the parts that all processes have together, the same on each of them: a circuit of the few nodes that
/// messages show, without elements.
struct PartNames {
  Circuit circuit;
  NodePlaces places;  ///< of its nodes
  Parts parts;        ///< of its nodes; first_node is one of them
};

/// Numbers the connected parts of all processes as a run of one process would: joins those that elements across
/// processes connect. `parts` comes from find_parts() of the local network; first_node is lost.
PartNames number_parts(const Communicator& all, const LocalCircuit& local, const NodePlaces& places, Parts& parts);

/// Names the nets and finds what floats, with all processes; the findings are of both.
void name_parts(const Communicator& all, const LocalCircuit& local, const NodePlaces& places,
                const std::map<std::string, double>& overrides, PartNames names, Topology& topology);

}  // namespace gridiron::distributed
