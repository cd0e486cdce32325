// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engines/params.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// One grid of a multilevel engine, finest first (the columns of the usual hierarchy tables).
struct LevelSummary {
  int64_t unknowns = 0, nonzeros = 0, bytes = 0;
  double spectral_radius = 0;  ///< of D⁻¹A, as the smoother uses it
  void visit(auto& v) const { v("unknowns", unknowns)("nonzeros", nonzeros)("bytes", bytes); }
};

/// Figures that only one method has, for the report: its name and theirs, such as "psc" and "coarse" = 49.
struct MethodFigures {
  std::string method;
  std::vector<std::pair<std::string, double>> figures;
};

/// Which engine did the work, and how: the part of every report about the engine.
struct EngineRun {
  std::string name, device;
  std::string why_device;  ///< "no CUDA device found", where a GPU would have been chosen
  std::string note;        ///< Engine::note()
  ParamList parameters;
  int64_t bytes = 0;
  int threads = 1;
  std::vector<LevelSummary> levels;
  MethodFigures figures = {};

  void visit(auto& v) const {
    v("name", name)("device", device)("threads", threads)("note", note)("parameters", parameters)("levels", levels);
    v({"", "bytes"}, bytes);
  }
};

}  // namespace gridiron
