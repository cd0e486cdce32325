// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

// A struct of results describes its fields once, for all who show them:
//
//     struct PadResult {
//       std::string name, place;
//       double current_a = 0;
//       void visit(auto& v) const {
//         v("name", name)("current_a", current_a, "Into the grid, A.")("place", Known{place, !place.empty()});
//       }
//     };
//
// A visitor takes name, value and, where there is one, help of each field in the order of report.json, and returns
// itself. Reports make JSON of it (reports/json/fields_json.hpp), of which commands of a session return parts, Python
// makes dicts and attributes of it (python/fields.hpp), and tests compare it with the schemas.

/// The name of a field in report.json and, where that has another one, in Python; an empty one leaves it out there.
/// "widening/by" is the field `by` of an object `widening`.
struct FieldName {
  std::string_view json, python;
  FieldName(const char* name) : json(name), python(name) {}
  FieldName(const char* in_json, const char* in_python) : json(in_json), python(in_python) {}
};

/// A value that is null in JSON unless it is known. Python has it as it is.
template <class T>
struct Known {
  T value;
  bool is_known;
};
template <class T>
Known(T, bool) -> Known<T>;

/// A value that JSON has only where it is present. Python always has it.
template <class T>
struct Present {
  T value;
  bool is_present;
};
template <class T>
Present(T, bool) -> Present<T>;

/// A visitor that takes everything.
struct AnyVisitor {
  AnyVisitor& operator()(const FieldName&, const auto&, std::string_view = {}) { return *this; }
};

template <class T>
concept Visited = requires(const T& result, AnyVisitor& visitor) {
  result.visit(visitor);
};

}  // namespace gridiron
