// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

namespace gridiron::python {

/// A name from a netlist. Its bytes need not be UTF-8: those that are not become lone surrogates in Python, and come
/// back as they were (PEP 383).
struct Text : std::string {
  Text() = default;
  explicit Text(std::string_view text) : std::string(text) {}
};

}  // namespace gridiron::python

template <>
struct pybind11::detail::type_caster<gridiron::python::Text> {
  PYBIND11_TYPE_CASTER(gridiron::python::Text, const_name("str"));

  bool load(handle source, bool) {
    if (!source || !PyUnicode_Check(source.ptr())) return false;
    const auto bytes = reinterpret_steal<object>(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
    if (!bytes) throw error_already_set();
    value.assign(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }
  static handle cast(const gridiron::python::Text& text, return_value_policy, handle) {
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  }
};
