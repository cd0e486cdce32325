// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/number_in.hpp"

namespace gridiron {

/// One argument of a command, as data: the command line, Tcl, help, the manual page and completion are made from it.
struct Argument {
  enum class Kind { flag, text, whole_number, number };
  enum class Path { none, file, folder };

  std::string field;                                          ///< "max_iterations"; front ends spell it
  std::string value = {};                                     ///< what stands for the value in help: "N", "VOLTS"
  std::string unit = {};                                      ///< of numbers: "V", "s"; "1" for pure numbers
  std::string help = {};                                      ///< a line without the default
  std::string initial = {};                                   ///< default; taken from the struct if it says enough
  std::vector<std::string> choices = {};                      ///< the only values there are, if any
  std::vector<std::string> suggestions = {};                  ///< for completion; other values are possible
  std::function<std::string(const std::string&)> check = {};  ///< empty, or what is wrong with a value
  std::string former = {};                                    ///< an older name of the field, which is still understood
  std::string excludes = {};                                  ///< field of an argument that must not be given as well
  Path path = Path::none;                                     ///< what the value names
  bool is_positional = false, is_required = false;
  char separator = 0;  ///< between values given at once, "a,b", or between words of the one value; 0: none

  // What follows from the member that the argument sets:
  Kind kind = Kind::text;
  bool is_repeatable = false;
  /// Sets the member to the values given, at least one, of which none has a fault().
  std::function<void(void* arguments, const std::vector<std::string>& texts)> take = {};

  /// Empty if `text` is a value of this argument, otherwise what is wrong with it.
  std::string fault(const std::string& text) const;
  bool splits_values() const { return is_repeatable && separator != 0; }
  bool is_flag() const { return kind == Kind::flag; }
};

/// A command as data; how it is run depends on the front end.
struct Command {
  std::string name;
  std::string help = {};         ///< a line, without a capital and a full stop
  std::string description = {};  ///< paragraphs, if there is more to say
  std::string example = {};      ///< a complete command line
  std::string notes = {};        ///< tables that follow the arguments
  bool is_internal = false;      ///< not shown
  bool passes_words_on = false;  ///< all words from the first positional on are its own, options included
  std::vector<Argument> arguments = {};
  std::function<std::shared_ptr<void>()> make = {};  ///< the struct of arguments with its defaults

  const Argument* find(std::string_view field) const;
};

/// Of commands that need none.
struct NoArguments {};

/// A command of the tool. `run` returns the exit code.
struct ToolCommand : Command {
  std::function<int(const void* arguments)> run = {};
};

namespace declaring {

template <class T>
struct ValueOf {
  using type = T;
};
template <class T>
struct ValueOf<std::vector<T>> {
  using type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
  using type = T;
};

template <class T>
constexpr Argument::Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return Argument::Kind::flag;
  if constexpr (std::is_same_v<T, std::string>) return Argument::Kind::text;
  if constexpr (std::is_integral_v<T>) return Argument::Kind::whole_number;
  return Argument::Kind::number;
}

template <class T>
T parsed(const std::string& text) {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else {
    return number_in<T>(text).value_or(T{});
  }
}

/// What is wrong with a text for a member of type T; `unit` of numbers, as of Argument.
template <class T>
std::string type_fault(const std::string& text, const std::string& unit) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return "";
  } else {
    const std::optional<T> value = number_in<T>(text);
    if (value && std::isfinite(static_cast<double>(*value))) return "";
    if constexpr (std::is_floating_point_v<T>)
      return "'" + text + "': expected a number" + (unit.empty() || unit == "1" ? "" : ", in " + unit);
    else
      return "'" + text + "': expected a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
             std::to_string(std::numeric_limits<T>::max());
  }
}

std::string shown(double value);
inline std::string shown(const std::string& text) { return text; }
inline std::string shown(bool) { return ""; }
template <class T>
requires std::is_integral_v<T> std::string shown(T value) { return value == T{} ? "" : std::to_string(value); }
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "";
}
template <class T>
std::string shown(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + shown(value);
  return text;
}

}  // namespace declaring

/// Declares the arguments of a command by pointers to the members of `Args` that they set, so that type and default are
/// those of the struct:
///
///     Declaration<IrArguments> ir({.name = "ir", .help = "static IR drop of a netlist", .example = "gridiron ir
///     chip.sp"}); ir.add(&IrArguments::net, {.field = "net", .value = "NAME", .help = "report this net only"});
template <class Args>
class Declaration : public Command {
 public:
  explicit Declaration(Command about) : Command(std::move(about)) {
    make = [] { return std::make_shared<Args>(); };
  }

  template <class Owner, class T>
  Declaration& add(T Owner::*member, Argument argument) {
    using Value = typename declaring::ValueOf<T>::type;
    argument.kind = declaring::kind_of<Value>();
    argument.is_repeatable = std::is_same_v<T, std::vector<Value>>;
    if (argument.initial.empty()) argument.initial = declaring::shown(Args{}.*member);
    argument.check = [own = std::move(argument.check), unit = argument.unit](const std::string& text) {
      const std::string fault = own ? own(text) : "";
      return fault.empty() ? declaring::type_fault<Value>(text, unit) : fault;
    };
    argument.take = [member](void* arguments, const std::vector<std::string>& texts) {
      T& slot = static_cast<Args*>(arguments)->*member;
      if constexpr (std::is_same_v<T, std::vector<Value>>) {
        slot.clear();
        for (const std::string& text : texts) slot.push_back(declaring::parsed<Value>(text));
      } else {
        slot = declaring::parsed<Value>(texts.back());
      }
    };
    arguments.push_back(std::move(argument));
    return *this;
  }

  /// An argument that is more than one value; take(arguments, text) reads it, and throws InputError.
  template <class Take>
  Declaration& add_read_by(Take take, Argument argument) {
    argument.take = [take](void* arguments, const std::vector<std::string>& texts) {
      take(*static_cast<Args*>(arguments), texts.back());
    };
    arguments.push_back(std::move(argument));
    return *this;
  }

  ToolCommand run_by(int (*run)(const Args&)) && {
    return {std::move(*this), [run](const void* arguments) { return run(*static_cast<const Args*>(arguments)); }};
  }
};

}  // namespace gridiron
