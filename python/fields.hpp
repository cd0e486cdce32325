// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "python/bindings.hpp"
#include "support/visited.hpp"

namespace gridiron::python {

// Python's dicts and attributes of what results visit (support/visited.hpp). Indices stay indices, but layers between
// which segments are get their names from `report`. Dicts have the names of report.json, and beside them those that
// Python had before for some.

template <class T>
py::object shown_value(const IrReport&, const T& value) {
  if constexpr (std::is_null_pointer_v<T>)
    return py::none();
  else if constexpr (std::is_convertible_v<T, std::string_view>)
    return py::cast(Text(value));
  else if constexpr (requires { value.index; })
    return py::cast(value.index);
  else
    return py::cast(value);
}
py::object shown_value(const IrReport& report, const LayerPair& layers);
py::object shown_value(const IrReport& report, const ParamList& parameters);

/// A dict of the fields.
template <Visited T>
py::object shown_value(const IrReport& report, const T& result);

template <class T>
py::object shown_value(const IrReport& report, const Known<T>& field) {
  return shown_value(report, field.value);
}
template <class T>
py::object shown_value(const IrReport& report, const Present<T>& field) {
  return shown_value(report, field.value);
}
template <class T>
py::object shown_value(const IrReport& report, const std::optional<T>& field) {
  return field ? shown_value(report, *field) : py::object(py::none());
}
template <class T>
py::object shown_value(const IrReport& report, const std::vector<T>& values) {
  py::list list;
  for (const T& value : values) list.append(shown_value(report, value));
  return list;
}

/// Adds a field under its name in Python, and under that in JSON unless it is in use: "widening/by" is
/// dict["widening"]["by"].
inline void put(py::dict& dict, const FieldName& name, const py::object& value) {
  const auto key = [](std::string_view text) { return py::str(text.data(), text.size()); };
  dict[key(name.python)] = value;
  const size_t slash = name.json.find('/');
  const py::str outer = key(name.json.substr(0, slash));
  if (slash == name.json.npos) {
    if (!name.json.empty() && !dict.contains(outer)) dict[outer] = value;
    return;
  }
  if (!dict.contains(outer)) dict[outer] = py::dict();
  if (const py::object inner = dict[outer]; py::isinstance<py::dict>(inner))
    inner[key(name.json.substr(slash + 1))] = value;
}

/// Gives name, help and value of each field to `take`; value() is a Python object.
template <class Take>
class PythonFields {
 public:
  PythonFields(const IrReport& report, Take take) : report_(report), take_(std::move(take)) {}
  template <class T>
  PythonFields& operator()(const FieldName& name, const T& value, std::string_view help = {}) {
    if (!name.python.empty()) take_(name, help, [&] { return shown_value(report_, value); });
    return *this;
  }

 private:
  const IrReport& report_;
  Take take_;
};

template <Visited T>
py::object shown_value(const IrReport& report, const T& result) {
  py::dict dict;
  PythonFields fields(report,
                      [&](const FieldName& name, std::string_view, const auto& value) { put(dict, name, value()); });
  result.visit(fields);
  return dict;
}

inline const IrReport kNoNames;

/// Of a result without layers, or of several.
py::object shown_fields(const auto& result) { return shown_value(kNoNames, result); }

/// Of a certificate, whose errors are None where there are none.
inline py::object shown_certificate(const auto& certificate, bool is_valid, bool is_estimated) {
  py::object shown = shown_fields(certificate);
  if (!is_valid) shown["max_error_v"] = py::none();
  if (!is_estimated) shown["estimated_error_v"] = py::none();
  return shown;
}

/// "{'node', 'pad' (index of a node)}": the keys of the dict, for docstrings.
template <Visited T>
std::string keys_of() {
  std::string keys;
  PythonFields fields(kNoNames, [&](const FieldName& name, std::string_view help, const auto&) {
    const bool is_own = name.json.empty() || name.json.find('/') != name.json.npos;
    keys += fmt::format("{}'{}'", keys.empty() ? "" : ", ", is_own ? name.python : name.json);
    if (!help.empty()) keys += fmt::format(" ({})", help);
  });
  T().visit(fields);
  return "{" + keys + "}";
}

/// Makes every field of a result without layers an attribute of its class.
template <Visited T>
py::class_<T> with_fields(py::class_<T> type) {
  const auto def = [&](const FieldName& field, std::string_view help, const auto&) {
    const auto get = [name = field.python](const T& result) {
      py::object found;
      PythonFields fields(kNoNames, [&](const FieldName& other, std::string_view, const auto& value) {
        if (other.python == name) found = value();
      });
      result.visit(fields);
      return found;
    };
    type.def_property_readonly(std::string(field.python).c_str(), get, std::string(help).c_str());
  };
  PythonFields fields(kNoNames, def);
  T().visit(fields);
  return type;
}

/// Gives a dict column(field) of every field of a struct, such as a view of this field in all structs of an array.
template <class Column>
struct PythonColumns {
  py::dict& columns;
  Column column;

  template <class T>
  PythonColumns& operator()(const FieldName& name, const T& field, std::string_view = {}) {
    columns[py::str(name.python.data(), name.python.size())] = column(field);
    return *this;
  }
};
template <class Column>
PythonColumns(py::dict&, Column) -> PythonColumns<Column>;

}  // namespace gridiron::python
