// SPDX-License-Identifier: Apache-2.0
#include "app/tcl/tcl_values.hpp"

#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

Tcl_Obj* text(const std::string& value) {
  const std::string unicode = as_unicode(value);
  return Tcl_NewStringObj(unicode.data(), static_cast<int>(unicode.size()));
}

}  // namespace

Tcl_Obj* tcl_value(const Value& value) {
  switch (value.type()) {
    case Value::value_t::object: {
      Tcl_Obj* dict = Tcl_NewDictObj();
      for (const auto& [key, item] : value.items()) Tcl_DictObjPut(nullptr, dict, text(key), tcl_value(item));
      return dict;
    }
    case Value::value_t::array: {
      Tcl_Obj* list = Tcl_NewListObj(0, nullptr);
      for (const Value& item : value) Tcl_ListObjAppendElement(nullptr, list, tcl_value(item));
      return list;
    }
    case Value::value_t::string:
      return text(value.get_ref<const std::string&>());
    case Value::value_t::boolean:
      return Tcl_NewBooleanObj(value.get<bool>());
    case Value::value_t::number_integer:
    case Value::value_t::number_unsigned:
      return Tcl_NewWideIntObj(value.get<int64_t>());
    case Value::value_t::number_float:
      return Tcl_NewDoubleObj(value.get<double>());
    default:
      return Tcl_NewObj();
  }
}

}  // namespace gridiron
