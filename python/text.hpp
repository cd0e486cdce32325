// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "reports/text/utf8.hpp"

namespace gridiron::python {

/// A name from a netlist. Its bytes need not be UTF-8: see as_unicode(). Given, they may be lone surrogates as well, as
/// Python reads them from files and file names (PEP 383).
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
    value = gridiron::python::Text(
        gridiron::from_unicode({PyBytes_AS_STRING(bytes.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))}));
    return true;
  }
  static handle cast(const gridiron::python::Text& text, return_value_policy, handle) {
    const std::string unicode = gridiron::as_unicode(text);
    return PyUnicode_DecodeUTF8(unicode.data(), static_cast<Py_ssize_t>(unicode.size()), nullptr);
  }
};
