// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/analysis_options.hpp"
#include "app/session/command.hpp"
#include "app/session/number_checks.hpp"
#include "engines/engine.hpp"
#include "reports/report.hpp"
#include "support/threads.hpp"

// Arguments that several commands have, for structs with members of these names.

namespace gridiron {

/// A whole number from `low` to `high`.
inline Argument whole_number(std::string field, std::string help, int64_t low, int64_t high, std::string initial = {}) {
  return {.field = std::move(field),
          .value = "N",
          .unit = "1",
          .help = std::move(help),
          .initial = std::move(initial),
          .check = whole_number(low, high)};
}

/// A number of volts.
inline Argument voltage(std::string field, std::string help) {
  return {.field = std::move(field), .value = "VOLTS", .unit = "V", .help = std::move(help)};
}

/// The name of a file.
inline Argument file(std::string field, std::string help, std::string value = "FILE") {
  return {.field = std::move(field), .value = std::move(value), .help = std::move(help), .path = Argument::Path::file};
}

/// A word that may not be left out, unless told otherwise.
inline Argument positional(Argument argument, bool is_required = true) {
  argument.is_positional = true;
  argument.is_required = is_required;
  return argument;
}

inline std::vector<std::string> engine_names(std::vector<std::string> names = {}) {
  for (const EngineInfo& engine : engines()) names.emplace_back(engine.name);
  return names;
}

/// "KEY=" of every engine's parameters, each preceded by "ENGINE." if asked for.
inline std::vector<std::string> engine_settings(bool with_engine) {
  std::vector<std::string> keys;
  for (const EngineInfo& engine : engines())
    for (const Param& p : engine.defaults()) {
      std::string key = (with_engine ? std::string(engine.name) + "." : "") + p.name + "=";
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
    }
  return keys;
}

/// A number with a scale suffix and its unit: "5m", "10uV". `read` is volts(), amperes() or ohms().
template <class Args, class T>
void add_quantity(Declaration<Args>& to, T Args::*member, std::optional<double> (*read)(std::string_view),
                  Argument argument) {
  argument.kind = Argument::Kind::number;
  argument.check = [read, unit = argument.unit](const std::string& text) {
    const std::optional<double> number = read(text);
    return number && std::isfinite(*number) ? ""
                                            : fmt::format("'{}': expected a number, such as 5m or 5m{}", text, unit);
  };
  to.add_read_by([member, read](Args& args, const std::string& text) { args.*member = *read(text); },
                 std::move(argument));
}

template <class Args>
void add_threads(Declaration<Args>& to) {
  to.add(&Args::threads, whole_number("threads", "number of threads", 1, kMostThreads, "all cores"));
}

/// How a deck is read.
template <class Args>
void add_reading(Declaration<Args>& to) {
  to.add(&Args::nominal, {.field = "nominal", .value = "NET=VOLTS", .unit = "V", .help = "nominal voltage of a net"});
  to.add(&Args::dbu, {.field = "dbu",
                      .value = "N",
                      .unit = "1/um",
                      .help = "database units per um in node names",
                      .initial = "the deck's card, 2000, or 1000 for IBM names",
                      .check = check_positive});
  to.add(&Args::node_pattern,
         {.field = "node_pattern",
          .value = "REGEX",
          .help = "what node names mean: a regular expression for whole names with some of the groups (?<net>...), "
                  "(?<layer>...), (?<x>...) and (?<y>...)",
          .initial = "the conventions of IBM, ICCAD-2023 and OpenROAD"});
  to.add(&Args::pads,
         file("pads",
              "pads that the deck does not have: CSV name,ohm,volts or x,y,layer,ohm,volts (perhaps with "
              "a column net) with this header, each at the node or at the nearest one of the layer, in um; "
              "0 ohm holds the node"));
  to.add(&Args::lenient, {.field = "lenient", .help = "skip cards that are not understood, and count them"});
  to.add(&Args::dialect,
         {.field = "dialect",
          .value = "DIALECT",
          .help = "whose language the deck is written in, where programs differ; auto is what all agree on, and "
                  "what unmistakable cards tell; of numbers, x is mega in hspice and nothing in ngspice, a bare a is "
                  "atto in hspice, and auto refuses x and takes a for ampere",
          .choices = {"auto", "ngspice", "hspice", "pspice", "ltspice", "cdl", "dspf"}});
  to.add(&Args::top,
         {.field = "top",
          .value = "SUBCIRCUIT",
          .help = "subcircuit that no card instantiates, as extraction writes one: its elements are the top "
                  "level, its ports nodes of their own names"});
}

/// NETLIST and how it is read.
template <class Args>
void add_netlist(Declaration<Args>& to,
                 const char* what =
                     "SPICE deck, or with --lef a placed design, a DEF file: plain, .gz, .bz2, .xz or "
                     ".zst; '-' reads standard input") {
  to.add(&Args::netlist, positional(file("netlist", what, "NETLIST")));
  add_reading(to);
  add_threads(to);
}

template <class Args>
void add_further_files(Declaration<Args>& to) {
  to.add(&Args::further_files,
         positional(file("further_files",
                         "files that continue the netlist, in this order, each up to its .end; cut between cards"),
                    false));
}

template <class Args>
void add_strict(Declaration<Args>& to) {
  to.add(&Args::strict, {.field = "strict", .help = "warnings about the netlist fail with exit code 3"});
}

template <class Args, class Owner>
void add_engine(Declaration<Args>& to, std::string Owner::*engine, const std::string& list = "gridiron engines") {
  to.add(engine, {.field = "engine",
                  .value = "NAME",
                  .help = "solver engine, see '" + list + "'",
                  .suggestions = engine_names({"auto"})});
}

template <class Args, class Owner>
void add_device(Declaration<Args>& to, std::string Owner::*device) {
  to.add(device, {.field = "device",
                  .value = "DEVICE",
                  .help = "where the engine runs; auto is the GPU where there is one and it pays",
                  .choices = {"auto", "cpu", "cuda"}});
}

template <class Args, class Owner>
void add_tolerance(Declaration<Args>& to, std::string Owner::*tolerance,
                   std::string help = "certified error of every node voltage to reach") {
  to.add(tolerance, voltage("tolerance", std::move(help)));
}

template <class Args, class Owner>
void add_limits(Declaration<Args>& to, std::vector<std::string> Owner::*limits, std::string help,
                std::vector<std::string> suggestions = {"worst=", "average=", "p50=", "p95=", "p99=", "p99.9="}) {
  to.add(limits, {.field = "limit", .value = "LIMIT", .help = std::move(help), .suggestions = std::move(suggestions)});
}

template <class Args, class Owner>
void add_rtol(Declaration<Args>& to, double Owner::*rtol, std::string help, std::string excludes = {}) {
  to.add(rtol, {.field = "rtol",
                .value = "R",
                .unit = "1",
                .help = std::move(help),
                .check = check_rtol,
                .excludes = std::move(excludes)});
}

template <class Args, class Owner>
void add_max_iterations(Declaration<Args>& to, int Owner::*max_iterations) {
  to.add(max_iterations, whole_number("max_iterations", "iterations before giving up", 1, INT_MAX));
}

template <class Args, class Owner>
void add_settings(Declaration<Args>& to, std::vector<std::string> Owner::*settings,
                  std::string help = "engine parameter, see 'gridiron engines'",
                  std::vector<std::string> suggestions = engine_settings(false),
                  std::string value = "[ENGINE.]KEY=VALUE") {
  to.add(settings,
         {.field = "set", .value = std::move(value), .help = std::move(help), .suggestions = std::move(suggestions)});
}

template <class Args>
void add_out(Declaration<Args>& to, std::string help) {
  to.add(&Args::out, {.field = "out", .value = "FOLDER", .help = std::move(help), .path = Argument::Path::folder});
}

template <class Args>
void add_formats(Declaration<Args>& to, std::string help, std::vector<std::string> names) {
  to.add(&Args::formats, {.field = "formats",
                          .value = "NAME",
                          .help = std::move(help),
                          .suggestions = std::move(names),
                          .separator = ','});
}

/// The formats of an IrReport.
template <class Args>
void add_report_formats(Declaration<Args>& to) {
  add_formats(to,
              "which of text,solution,csv,json,png,html (default: all these); openroad: instances.csv and segments.csv "
              "as OpenROAD's -voltage_file and -em_outfile; lyrdb, drc: markers for KLayout and OpenROAD; iccad, npy: "
              "maps with pixels of 1 um as ir_drop_map.csv and for numpy",
              {std::begin(kReportFormats), std::end(kReportFormats)});
}

template <class Args>
void add_compress(Declaration<Args>& to, std::string what) {
  to.add(&Args::compress, {.field = "compress", .help = "write " + std::move(what) + " compressed, as FILE.zst"});
}

template <class Args>
void add_full(Declaration<Args>& to) {
  to.add(&Args::full, {.field = "full", .help = "print all that summary.txt holds, not a page of it"});
}

template <class Args>
void add_quiet(Declaration<Args>& to) {
  to.add(&Args::quiet, {.field = "quiet", .help = "nothing on standard output"});
  to.add(&Args::no_progress, {.field = "no_progress", .help = "no progress line"});
}

}  // namespace gridiron
