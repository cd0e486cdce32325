// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/model/system.hpp"
#include "analysis/pde/discretise.hpp"
#include "analysis/pde/problems.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"

namespace gridiron {

/// A system of a benchmark with its right-hand side: a netlist, PROBLEM:SIZE of `gridiron pde`, or ibm:NODES and
/// openroad:NODES of `gridiron generate`. The unknowns of a power grid are its drops, or its voltages with
/// `has_voltages`: the same matrix, and pads in the right-hand side, against which the residual is then measured.
struct Case {
  std::shared_ptr<const Problem> problem;
  std::vector<double> b;

  explicit Case(const std::string& name, bool has_voltages = false) {
    const size_t colon = name.find(':');
    const std::string head = name.substr(0, colon), size = colon == std::string::npos ? "" : name.substr(colon + 1);
    if (colon == std::string::npos) {
      take(name, has_voltages);
    } else if (head == "ibm" || head == "openroad") {
      const std::string deck =
          (std::filesystem::temp_directory_path() / fmt::format("gridiron_case_{}_{}_{}.sp", getpid(), head, size))
              .string();
      GeneratorOptions options;
      options.style = head;
      options.nodes = std::stoll(size);
      generate(options, deck);
      take(deck, has_voltages);
      std::filesystem::remove(deck);
    } else {
      PdeModel model = make_model(find_pde_problem(head), {.size = std::stoll(size)});
      Problem made;
      made.matrix = assemble(model.grid);
      b = right_hand_side(model);
      made.structure = std::make_shared<const RegularGrid>(std::move(model.grid));
      problem = std::make_shared<const Problem>(std::move(made));
    }
  }

 private:
  void take(const std::string& deck, bool has_voltages) {
    const System system(make_design(std::make_shared<const Circuit>(read_netlist(deck))));
    problem = system.problem();
    b = system.right_hand_side(Loads(system.design()), 0);
    if (!has_voltages) return;
    const std::vector<double> of_node = system.reference();
    std::vector<double> reference, of_pads(b.size());
    for (const int32_t node : system.elimination().kept) reference.push_back(of_node[node]);
    multiply(problem->matrix, reference.data(), of_pads.data());
    for (size_t i = 0; i < b.size(); ++i) b[i] += of_pads[i];
  }
};

}  // namespace gridiron
