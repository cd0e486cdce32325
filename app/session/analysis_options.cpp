// SPDX-License-Identifier: Apache-2.0
#include "app/session/analysis_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "analysis/model/nets.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/run/run_facts.hpp"
#include "app/session/option_name.hpp"
#include "engines/engine.hpp"
#include "netlist/names/node_pattern.hpp"
#include "netlist/values/quantity.hpp"
#include "reports/report.hpp"
#include "reports/text/escape.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/plural.hpp"
#include "support/threads.hpp"

namespace gridiron {

std::vector<std::string> NetlistArguments::files() const {
  std::vector<std::string> files = further_files;
  files.insert(files.begin(), netlist);
  return files;
}

ReadOptions DeckArguments::read_options() const {
  ReadOptions options;
  options.lenient = lenient;
  options.dialect = dialect_named(dialect);
  options.top = top;
  return options;
}

void DeckArguments::apply(DesignOptions& options) const {
  if (dbu > 0) options.dbu_per_um = dbu;
  if (!node_pattern.empty()) options.node_pattern = NodePattern(node_pattern).text();
  for (const std::string& text : nominal) {
    const auto [net, volts] = parse_assignment("nominal", text);
    add_nominal(options.nominal_v, net, parse_volts(field("nominal") + " " + text, volts));
  }
}

void NetlistArguments::apply(DesignOptions& options) const {
  use_threads(threads);
  DeckArguments::apply(options);
  options.islands.ignores_all = ignore_opens;
}

void NetlistArguments::list(RunFacts& run) const {
  add_option(run, "nominal", nominal);
  if (dbu > 0) add_option(run, "dbu", fmt::format("{}", dbu));
  if (!node_pattern.empty()) add_option(run, "node-pattern", node_pattern);
  if (lenient) add_option(run, "lenient", "yes");
  add_option(run, "pads", pads);
  if (dialect != "auto") add_option(run, "dialect", dialect);
  add_option(run, "top", top);
  list_layout(run);
}

void spell_fields(std::vector<Finding>& findings, const FieldSpelling& spell) {
  for (Finding& finding : findings) finding.message = spelled(finding.message, spell ? spell : option_name);
}

void require_no_warnings(const std::vector<Finding>& findings) {
  const auto is_warning = [](const Finding& f) { return f.severity == Finding::Severity::warning; };
  const auto first = std::ranges::find_if(findings, is_warning);
  if (first == findings.end()) return;
  const auto others = std::count_if(first + 1, findings.end(), is_warning);
  throw grid_error("{}: {}{} [{}]{}", field("strict"), first->place.empty() ? "" : first->place + ": ", first->message,
                   first->code, others > 0 ? " and " + counted(others, "more warning") : "");
}

void use_threads(int threads) {
  if (threads > 0) omp_set_num_threads(usable_threads(threads));
}

double parse_volts(const std::string& option, const std::string& text) {
  const auto value = volts(text);
  if (!value) throw input_error("{}: '{}' is not a voltage; write e.g. 10uV or 0.05", option, text);
  return *value;
}

double parse_seconds(const std::string& option, const std::string& text) {
  const auto value = seconds(text);
  if (!value) throw input_error("{} {}: not a time; write e.g. 10ps or 1e-11", field(option), text);
  return *value;
}

int exit_code(const Verdict& verdict, std::string_view of_what) {
  if (verdict.exceeded() > 0) {
    complain("limit exceeded: " + verdict.exceeded_text());
    return static_cast<int>(ExitCode::limit_exceeded);
  }
  if (!verdict.left_out_text().empty()) throw grid_error("{} [{}]", verdict.left_out_text(), kLimitLeftOut);
  if (verdict.undecided() > 0) throw solver_error("limit undecided: {}", verdict.undecided_text(of_what));
  return static_cast<int>(ExitCode::done);
}

double parse_tolerance(const std::string& text) {
  const double value = parse_volts(field("tolerance"), text);
  if (!(value > 0)) throw field_error("tolerance", "{}: expected a positive voltage", text);
  return value;
}

void add_accuracy(RunFacts& run, double rtol, const std::string& tolerance) {
  rtol > 0 ? add_option(run, "rtol", fmt::format("{:g}", rtol)) : add_option(run, "tolerance", tolerance);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (text.ends_with(separator)) parts.emplace_back();
  return parts;
}

namespace {
bool names_table(const std::string& em_limit) { return em_limit.find('=') == em_limit.npos; }
}  // namespace

std::vector<std::string> table_files(const std::vector<std::string>& em_limits) {
  std::vector<std::string> files;
  std::ranges::copy_if(em_limits, std::back_inserter(files), names_table);
  return files;
}

std::vector<EmLimit> parse_em_limits(const std::vector<std::string>& texts, std::string_view option) {
  std::vector<EmLimit> limits;
  for (const std::string& text : texts)
    for (EmLimit& limit : names_table(text) ? read_em_limits(text) : std::vector{parse_em_limit(text)})
      add_em_limit(limits, std::move(limit), fmt::format("{} {}", field(option), text));
  return limits;
}

std::pair<std::string, std::string> parse_assignment(const std::string& option, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw input_error("{} {}: expected NAME=VALUE", field(option), text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

SettingKey parse_setting_key(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return {"", text};
  return {std::string(find_engine(text.substr(0, dot)).name), text.substr(dot + 1)};
}

std::string setting_of(const std::string& engine, const std::string& text) {
  const SettingKey setting = parse_setting_key(text);
  if (!setting.engine.empty() && setting.engine != engine)
    throw field_error("set", "{}: the engine is {}; give {} {}, or leave this out", text, engine, field("engine"),
                      setting.engine);
  return setting.key;
}

Settings parse_settings(const std::vector<std::string>& texts, const std::string& engine) {
  Settings settings;
  for (const std::string& text : texts) {
    const auto [key, value] = parse_assignment("set", text);
    add_setting(settings, text, setting_of(engine, key), value);
  }
  return settings;
}

Settings parse_settings(const std::vector<std::string>& texts) {
  Settings settings;
  for (const std::string& text : texts) {
    const auto [key, value] = parse_assignment("set", text);
    add_setting(settings, text, key, value);
  }
  return settings;
}

void add_setting(Settings& settings, const std::string& text, const std::string& key, const std::string& value) {
  if (!settings.emplace(key, value).second)
    throw field_error("set", "{}: {} is given twice; leave one of them out", text, key);
}

void complain(const std::string& message) {
  std::fflush(stdout);  // what came before stands before
  const std::string line = fmt::format("gridiron: {}\n", printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Formats formats_named(const std::vector<std::string>& names, std::span<const std::string_view> known) {
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw input_error("{}: unknown format '{}'; known are {}{}", field("formats"), name, fmt::join(known, ", "),
                        did_you_mean(name, known));
  return {names.begin(), names.end()};
}

Formats parse_formats(const std::string& text, std::span<const std::string_view> known, const std::string& out,
                      size_t usual) {
  const auto first = known.first(std::min(usual, known.size()));
  if (text.empty()) return {first.begin(), first.end()};
  Formats formats = formats_named(split(text, ','), known);
  if (out.empty()) throw field_error("formats", "{}: there is no {} to write them into", text, field("out"));
  return formats;
}

Formats report_formats(const std::string& text, const std::string& out) {
  return parse_formats(text, kReportFormats, out, kUsualFormats);
}

void require_out_to_compress(bool compress, const std::string& out) {
  if (compress && out.empty()) throw input_error("{}: there is no {} to write into", field("compress"), field("out"));
}

}  // namespace gridiron
