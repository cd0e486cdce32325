// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/em/em_settings.hpp"
#include "python/bindings.hpp"

namespace gridiron::python {

void bind_em_rules(py::module_& module);
void bind_em(py::class_<IrReport, std::shared_ptr<IrReport>>& report);

}  // namespace gridiron::python
