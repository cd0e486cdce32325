// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "netlist/values/quantity.hpp"

namespace gridiron::test {

/// What decks of one program look like: words and habits of which a generator chooses.
struct Language {
  Dialect dialect;
  std::vector<std::string> brackets;  ///< around expressions: "{}" or "''"
  std::vector<std::string> parameter_words, subckt_words, ends_words;
  std::vector<std::string> tails;            ///< what may follow a card in its line, "" included
  std::vector<std::string> micro;            ///< spellings of 1e-6
  std::vector<std::string> functions;        ///< of expressions
  std::vector<std::string> signs, harmless;  ///< cards that this program alone has, and other ones without effect
  bool has_functions = false;                ///< `.func` or `.param f(x)=`
  bool has_func_card = false;
  bool has_conditions = false;    ///< `.if`
  bool has_choice = false;        ///< `c ? a : b`
  bool has_single_signs = false;  ///< `&`, `|`, `~`
  bool has_hat = false;           ///< `^` is a power
  bool has_parasitics = false;    ///< `Rser=`
  bool has_annotations = false;   ///< `$[model] $SUB=…`
  bool has_temperature = true;
  bool has_mega_x = false;     ///< `1x` is 1e6, and `1a` 1e-18
  bool has_whole_lib = false;  ///< `.lib FILE`
  bool has_sections = false;   ///< `.lib FILE SECTION`
  bool has_controlled = true;
  bool is_windows = false;  ///< lines end in \r\n
};

inline Language ngspice_language() {
  Language l{Dialect::ngspice,
             {"{}", "''"},
             {".param"},
             {".subckt"},
             {".ends"},
             {"", "", "", " ; note", " $ note"},
             {"u"},
             {"abs", "sqrt", "exp", "ln", "log", "min", "max", "pow", "pwr", "nint", "int", "floor", "ceil", "sgn",
              "tanh", "**", "odd_power"},
             {".csparam vdd={1}"},
             {".op", ".save all", ".probe v(n1)", ".options reltol=1e-4", ".width out=80"}};
  l.has_functions = l.has_func_card = l.has_conditions = l.has_choice = l.has_hat = l.has_sections = true;
  return l;
}

inline Language hspice_language() {
  Language l{Dialect::hspice,
             {"''", "''", "{}"},
             {".param", ".param", ".parameter"},
             {".subckt", ".macro"},
             {".ends", ".eom"},
             {"", "", "", " $ note"},
             {"u"},
             {"abs", "sqrt", "exp", "log", "log10", "min", "max", "pow", "pwr", "int", "sgn", "sign", "**", "odd_power",
              "odd_root", "nominal"},
             {".prot\n.unprot", ".protect\n.unprotect"},
             {".option post list", ".probe tran v(n1)", ".op", ".option accurate ingold=2", ".print tran v(n1)"}};
  l.has_functions = l.has_conditions = l.has_choice = l.has_mega_x = l.has_sections = l.has_hat = true;
  return l;
}

inline Language pspice_language() {
  Language l{Dialect::pspice,
             {"{}"},
             {".param"},
             {".subckt"},
             {".ends"},
             {"", "", "", " ; note"},
             {"u"},
             {"abs", "sqrt", "exp", "log", "log10", "min", "max", "pwr", "pwrs", "sgn", "if", "table", "limit", "stp",
              "arctan", "**"},
             {".watch tran v([n1])", ".savebias \"bias.txt\" op", ".aliases\nr_1 r1(1=n1 2=0)\n.endaliases"},
             {".probe", ".options reltol=1e-4", ".op"}};
  l.has_functions = l.has_func_card = l.has_single_signs = l.has_whole_lib = l.is_windows = true;
  return l;
}

inline Language ltspice_language() {
  Language l{
      Dialect::ltspice,
      {"{}"},
      {".param", ".params"},
      {".subckt"},
      {".ends"},
      {"", "", "", " ; note"},
      {"u", "\xC2\xB5", "\xB5"},
      {"abs",   "sqrt", "exp", "ln", "log",   "log10", "min", "max",   "pow",   "pwr",   "pwrs", "int",      "round",
       "floor", "ceil", "sgn", "if", "table", "limit", "u",   "uramp", "hypot", "atan2", "**",   "odd_power"},
      {".backanno"},
      {".op", ".options reltol=1e-4", ".save v(n1)"}};
  l.has_functions = l.has_func_card = l.has_choice = l.has_single_signs = l.has_parasitics = l.has_whole_lib = true;
  l.is_windows = true;
  return l;
}

inline Language cdl_language() {
  Language l{Dialect::cdl,
             {"''"},
             {".param"},
             {".subckt"},
             {".ends"},
             {"", "", " $[mod] $SUB=vss $W=1u $L=2u"},
             {"u"},
             {"abs", "sqrt", "min", "max", "**"},
             {"*.BIPOLAR\n*.RESI = 2000\n*.RESVAL\n*.CAPVAL", "*.PININFO a:I b:O", "*.SCALE METER\n*.EQUATION\n*.LDD"},
             {"*.PIN vdd!", "*.CAPA", "*.DIODE"}};
  l.has_annotations = true;
  l.has_temperature = l.has_controlled = false;
  return l;
}

}  // namespace gridiron::test
