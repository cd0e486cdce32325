// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// PSC, "prehandling Schur complement" (D. Ruda, S. Turek, D. Ribbrock, P. Zajac, "Very fast finite element Poisson
/// solvers on lower precision accelerator hardware: A proof of concept study for Nvidia Tesla V100", Int. J. High
/// Performance Computing Applications 36(4), 2022: "the paper" in this folder): a direct method made of dense products
/// of well-conditioned matrices, for which half precision suffices. It solves −∆u = f with linear and bilinear finite
/// elements on uniformly refined meshes.
std::optional<std::string> psc_declines(const Problem& problem);
std::unique_ptr<Engine> make_psc(const Settings& settings);
std::unique_ptr<Engine> make_psc_on_cuda(const Settings& settings);
ParamList psc_defaults();

namespace psc {

/// The engine, which creates one of two once it knows the problem: for finite elements, or for power grids.
using Make = std::unique_ptr<Engine> (*)(const Settings&);
std::unique_ptr<Engine> make_for_any(const Settings& settings, Make for_elements, Make for_power_grids);

}  // namespace psc

}  // namespace gridiron
