// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace gridiron::python {

namespace py = pybind11;

/// gridiron.Error and its kinds, which the library's errors become.
void bind_errors(py::module_& module);

/// Python's name of a field: "tolerance" → "tolerance_v".
std::string keyword(std::string_view field);

/// A message with its fields as keywords: "tolerance_v=-1: expected a positive voltage".
std::string in_keywords(const std::string& message);

}  // namespace gridiron::python
