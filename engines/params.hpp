// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gridiron {

/// `--set key=value` as typed.
using Settings = std::map<std::string, std::string>;

/// One parameter as the report and the help show it.
struct Param {
  std::string name, value, unit, meaning;
};
using ParamList = std::vector<Param>;

/// An engine's parameters are a struct with a member function that passes each field to a visitor:
///
///     struct CholmodParams {
///       std::string ordering = "amd";
///       template <class V> void visit(V& v) { v("ordering", ordering, "", "amd, metis or best"); }
///     };
///
/// read_params() fills such a struct from Settings (unknown key or unreadable value: InputError that lists the known
/// ones), list_params() describes it.
class ParamReader {
 public:
  ParamReader(std::string_view owner, const Settings& settings) : owner_(owner), settings_(settings) {}
  void operator()(std::string_view name, double& value, std::string_view unit, std::string_view meaning);
  void operator()(std::string_view name, int& value, std::string_view unit, std::string_view meaning);
  void operator()(std::string_view name, bool& value, std::string_view unit, std::string_view meaning);
  void operator()(std::string_view name, std::string& value, std::string_view unit, std::string_view meaning);
  /// Throws InputError for settings that match no field.
  void finish() const;

 private:
  const std::string* find(std::string_view name);
  [[noreturn]] void bad_value(std::string_view name, std::string_view expected) const;

  std::string_view owner_;
  const Settings& settings_;
  std::vector<std::string> known_;
};

/// Throws InputError that lists the choices unless `value` is one of them.
void require_choice(std::string_view owner, std::string_view name, const std::string& value,
                    std::initializer_list<std::string_view> choices);

class ParamLister {
 public:
  void operator()(std::string_view name, const std::variant<double, int, bool, std::string>& value,
                  std::string_view unit, std::string_view meaning);
  ParamList list;
};

/// Settings that belong together under a name. A parameter struct with presets has a static function presets() and a
/// field `preset`, "default" at first.
struct Preset {
  std::string_view name;
  Settings settings;
};
/// The settings of the preset that `settings` name, with those that they set themselves in place of its own. Errors:
/// InputError for an unknown preset.
Settings with_preset(std::string_view owner, const Settings& settings, const std::vector<Preset>& presets);

/// Throws InputError unless least <= value <= most.
void require_range(std::string_view owner, std::string_view name, double value, double least, double most);

/// `given`, and what the preset sets that it names.
template <class P>
Settings with_preset_of(std::string_view owner, const Settings& given) {
  if constexpr (requires { P::presets(); })
    return with_preset(owner, given, P::presets());
  else
    return given;
}

/// `params` with what `given` sets. Errors: InputError for an unknown key or an unreadable value.
template <class P>
P read_params(std::string_view owner, const Settings& given, P params) {
  const Settings settings = with_preset_of<P>(owner, given);
  ParamReader reader(owner, settings);
  params.visit(reader);
  reader.finish();
  return params;
}

template <class P>
P read_params(std::string_view owner, const Settings& given) {
  return read_params(owner, given, P());
}

template <class P>
ParamList list_params(P params) {
  ParamLister lister;
  params.visit(lister);
  return std::move(lister.list);
}

}  // namespace gridiron
