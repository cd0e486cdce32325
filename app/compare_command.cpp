// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "analysis/pde/problems.hpp"
#include "app/commands.hpp"
#include "app/compare_worker.hpp"
#include "app/engine_variant.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/layout_arguments.hpp"
#include "app/session/number_checks.hpp"
#include "engines/engine.hpp"
#include "netlist/reader.hpp"
#include "reports/compare_report.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/text/escape.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

struct CompareArguments : DeckArguments {
  std::vector<std::string> decks, pdes, sizes, engines, devices = {"cpu"}, settings;
  std::string tolerance = "1uV";
  double rtol = 0, timeout_s = 1800;
  int max_iterations = 500, repeat = 3, threads = 0;
  std::string out, formats;
  bool quiet = false, no_progress = false;
};

/// One variant of an engine on one device: a row of every table, before it is run.
struct Contender {
  EngineVariant variant;
  std::string device;
  bool requested = true, named = false;  ///< as in CompareRun
  std::string declined = {};             ///< why it cannot run at all, if so
};

/// A second size or problem, separated by a space, reads as a deck.
void require_deck(const std::string& word) {
  if (std::filesystem::exists(word)) return;
  const bool is_number = check_positive(word).empty(),
             is_problem = std::ranges::any_of(pde_problems(), [&](const PdeProblem&p) { return p.name == word; });
  if (is_number || is_problem)
    throw input_error("there is no deck '{}'; separate {} by commas", word,
                      is_number ? "sizes, as in --size 129,257," : "problems, as in --pde poisson2d,poisson3d,");
}

DeckReading reading_of(const DeckArguments& arguments) {
  DesignOptions design;
  arguments.apply(design);
  const ReadOptions read = arguments.read_options();
  return {read.lenient, read.dialect, read.top, design.node_pattern, arguments.pads, arguments.dbu, design.nominal_v};
}

std::vector<CompareCase> cases_of(const CompareArguments& arguments) {
  const DeckReading reading = reading_of(arguments);
  std::vector<CompareCase> cases;
  for (const std::string& deck : arguments.decks) {
    require_deck(deck);
    if (is_called_def(deck))
      throw input_error("{}: compare reads netlists; gridiron extract writes that of a layout", deck);
    if (deck == "-") throw InputError("compare reads a netlist once per engine, so it cannot be standard input");
    cases.push_back({deck, reading, "", 0});
  }
  for (const std::string& pde : arguments.pdes) {
    const PdeProblem& problem = find_pde_problem(pde);
    std::vector<int64_t> sizes;
    for (const std::string& text : arguments.sizes) append(sizes, sizes_of(text));
    if (sizes.empty()) sizes.push_back(problem.default_size);
    for (const int64_t size : sizes) cases.push_back({"", {}, pde, size});
  }
  if (cases.empty()) throw InputError("nothing to compare on: give a netlist, or --pde NAME --size N");
  return cases;
}

/// A value that --set gives, and which parameter.
struct GivenSetting {
  SettingKey of;
  std::string value, text;
};

std::vector<GivenSetting> settings_given(const std::vector<std::string>& texts) {
  std::vector<GivenSetting> given;
  for (const std::string& text : texts) {
    const auto [key, value] = parse_assignment("set", text);
    GivenSetting setting{parse_setting_key(key), value, text};
    for (const GivenSetting& other : given)
      if (other.of.key == setting.of.key && other.of.engine == setting.of.engine)
        throw field_error("set", "{}: {} is given twice; leave one of them out", text, setting.of.key);
    given.push_back(std::move(setting));
  }
  return given;
}

bool is_for(const GivenSetting& setting, const Contender& contender) {
  const std::string& engine = contender.variant.engine;
  if (!setting.of.engine.empty()) return engine == setting.of.engine;
  const ParamList parameters = find_engine(engine).defaults();
  return contender.requested &&
         std::ranges::any_of(parameters, [&](const Param& p) { return p.name == setting.of.key; });
}

bool runs_on(const EngineInfo& engine, const std::string& device) {
  const std::vector<std::string> devices = split(std::string(engine.devices), ',');
  return std::ranges::find(devices, device) != devices.end();
}

/// Every variant on every device that it runs on, in the order requested.
void add_requested(const CompareArguments& arguments, std::vector<Contender>& contenders) {
  std::vector<std::string> variants = arguments.engines;
  const bool are_named = !variants.empty();
  if (!are_named) variants = engine_names();
  for (const std::string& text : variants) {
    const EngineVariant variant = parse_variant(text);
    const EngineInfo& engine = find_engine(variant.engine);
    bool runs_anywhere = text == kReferenceEngine;
    for (const std::string& device : arguments.devices) {
      if (!runs_on(engine, device)) continue;
      runs_anywhere = true;
      const auto same = std::ranges::find_if(
          contenders, [&](const Contender& c) { return c.variant.text == text && c.device == device; });
      if (same == contenders.end())
        contenders.push_back({variant, device, true, are_named});
      else
        same->requested = true;
    }
    if (!runs_anywhere)
      contenders.push_back({variant, arguments.devices.front(), true, are_named,
                            fmt::format("in this build it runs on {} only", engine.devices)});
  }
}

/// Gives a setting to the contenders of its engine, or to all asked for that have such a parameter; what a variant sets
/// itself stays.
void apply(const GivenSetting& setting, std::vector<Contender>& contenders) {
  bool is_used = false;
  for (Contender& contender : contenders) {
    if (!is_for(setting, contender)) continue;
    contender.variant.settings.emplace(setting.of.key, setting.value);
    is_used = true;
  }
  if (!is_used && setting.of.engine.empty())
    throw field_error("set", "{}: no engine that is compared has this parameter", setting.text);
  if (!is_used)
    throw field_error("set", "{}: this engine is not compared; add it to {}", setting.text, field("engine"));
}

/// The reference first. Engines reject what they do not have here, not in the middle of a run. What is set for one
/// engine goes before what is set for all.
std::vector<Contender> contenders_of(const CompareArguments& arguments) {
  std::vector<Contender> contenders = {{parse_variant(std::string(kReferenceEngine)), "cpu", false}};
  add_requested(arguments, contenders);
  std::vector<GivenSetting> settings = settings_given(arguments.settings);
  std::stable_partition(settings.begin(), settings.end(),
                        [](const GivenSetting& setting) { return !setting.of.engine.empty(); });
  for (const GivenSetting& setting : settings) apply(setting, contenders);
  for (const Contender& contender : contenders) find_engine(contender.variant.engine).make(contender.variant.settings);
  return contenders;
}

/// Failures of the case itself: no engine can do better.
bool spoils_the_case(RunStatus status) {
  return status == RunStatus::invalid_input || status == RunStatus::unanalysable;
}

CaseRuns run_case(const CompareCase& what, const std::vector<Contender>& contenders, const Comparison& comparison,
                  const CompareArguments& arguments) {
  using Reference = CompareJob::Reference;
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  progress.stage(printable(what.name()));
  const UnnamedFile reference;
  CaseRuns result{what, {}};
  for (const Contender& contender : contenders) {
    progress.stage(contender.variant.text);
    const bool is_reference = result.runs.empty();
    const CompareRun* first = is_reference ? nullptr : &result.runs.front();
    CompareRun run;
    run.engine = contender.variant.engine;
    run.device = contender.device;
    if (first && spoils_the_case(first->status)) {
      run.status = first->status;
    } else if (!contender.declined.empty()) {
      run.status = RunStatus::declined;
      run.detail = contender.declined;
    } else {
      const Reference use = is_reference                  ? Reference::write
                            : has_solution(first->status) ? Reference::read
                                                          : Reference::none;
      run =
          measure_apart({what, contender.variant.engine, contender.device, contender.variant.settings, comparison.rtol,
                         comparison.tolerance_v, arguments.max_iterations, arguments.repeat, kSharedFile, use},
                        arguments.threads, reference, arguments.timeout_s);
    }
    run.variant = contender.variant.text;
    run.is_reference = is_reference;
    run.requested = contender.requested;
    run.named = contender.named;
    result.runs.push_back(std::move(run));
  }
  return result;
}

/// A netlist that cannot be read or analysed is an error, one that no engine solves too, and every row that misses what
/// was asked for.
void throw_first_failure(const Comparison& comparison) {
  for (const CaseRuns& runs : comparison.cases) {
    const CompareRun& reference = runs.runs.front();
    if (reference.status == RunStatus::invalid_input) throw InputError(reference.detail);
    if (reference.status == RunStatus::unanalysable) throw GridError(reference.detail);
  }
  for (const CaseRuns& runs : comparison.cases) {
    if (runs.has_good_row()) continue;
    const bool lacks_memory =
        std::ranges::all_of(runs.runs, [](const CompareRun& run) { return run.status == RunStatus::out_of_memory; });
    const std::string message = fmt::format("{}: no engine solved it as asked; the table says why", runs.what.name());
    if (lacks_memory) throw ResourceError(message);
    throw SolverError(message);
  }
  if (const std::string misses = compare_misses(comparison); !misses.empty()) throw SolverError(misses);
}

/// What decks include are inputs, too. Finding them takes a reading of each deck, which processes of their own read
/// again; that is done where there is something to lose. Decks that cannot be read are rows of the table.
void protect_included(const CompareArguments& arguments, RunFolder& folder) {
  if (!folder.may_replace()) return;
  if (!arguments.pads.empty()) folder.protect(arguments.pads);
  for (const std::string& deck : arguments.decks) {
    bool is_refused = false;
    ReadOptions options = arguments.read_options();
    options.opens = [&](const std::string& file) {
      is_refused = true;
      folder.protect(file);
      is_refused = false;
    };
    try {
      read_netlist(deck, options);
    } catch (const Error&) {
      if (is_refused) throw;
    }
  }
}

int run_compare(const CompareArguments& arguments) {
  const std::vector<CompareCase> cases = cases_of(arguments);
  const std::vector<Contender> contenders = contenders_of(arguments);
  use_threads(arguments.threads);
  Comparison comparison;
  comparison.max_iterations = arguments.max_iterations;
  comparison.repeat = arguments.repeat;
  comparison.threads = omp_get_max_threads();
  comparison.tolerance_v = parse_tolerance(arguments.tolerance);
  if (arguments.rtol > 0) {
    comparison.rtol = arguments.rtol;
    comparison.tolerance_v = 0;
  }
  const Formats formats = parse_formats(arguments.formats, kCompareFormats, arguments.out);
  RunFolder folder(arguments.out, {"compare", formats}, arguments.decks);
  protect_included(arguments, folder);
  const auto print = [&](const std::string& text) {
    if (arguments.quiet) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  };
  print(compare_heading(comparison));
  for (const CompareCase& what : cases) {
    comparison.cases.push_back(run_case(what, contenders, comparison, arguments));
    print(compare_table(comparison.cases.back()));
    if (!arguments.out.empty()) write_compare_reports(comparison, folder.path(), formats);
  }
  folder.finish();
  if (const std::string misses = compare_misses(comparison); !misses.empty()) print(fmt::format("\n{}\n", misses));
  throw_first_failure(comparison);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

ToolCommand compare_command() {
  using Args = CompareArguments;
  Declaration<Args> compare({.name = "compare",
                             .help = "engines side by side on netlists or model problems",
                             .example = "gridiron compare chip.sp --engine cholmod,aggamg --out comparison"});
  compare.add(&Args::decks, positional(file("deck", "SPICE decks: plain, .gz, .bz2, .xz or .zst", "DECK"), false));
  std::vector<std::string> problems;
  for (const PdeProblem& problem : pde_problems()) problems.emplace_back(problem.name);
  compare.add(&Args::pdes, {.field = "pde",
                            .value = "PROBLEM",
                            .help = "model problems, see 'gridiron help pde'",
                            .suggestions = std::move(problems),
                            .separator = ','});
  compare.add(&Args::sizes,
              {.field = "size",
               .value = "N",
               .help = "points or cells along the longest side of the model problems; 65..1025 is a sweep "
                       "of 65, 129, 257, 513 and 1025",
               .initial = "the problem's own",
               .separator = ','});
  compare.add(&Args::engines, {.field = "engine",
                               .value = "NAME",
                               .help = "engines to compare, see 'gridiron engines'; NAME@PRESET and NAME:KEY=VALUE are "
                                       "variants, as in gpuhmd,gpuhmd@paper,aggamg:krylov=gmres",
                               .initial = "all",
                               .suggestions = engine_names(),
                               .former = "engines",
                               .separator = ','});
  compare.add(&Args::devices, {.field = "device",
                               .value = "DEVICE",
                               .help = "where",
                               .choices = {"cpu", "cuda"},
                               .former = "devices",
                               .separator = ','});
  add_tolerance(compare, &Args::tolerance, "certified error of every node voltage to reach on netlists");
  add_rtol(compare, &Args::rtol, "stop at this relative residual instead; of model problems, 1e-8 unless given",
           "tolerance");
  add_max_iterations(compare, &Args::max_iterations);
  compare.add(&Args::repeat,
              whole_number("repeat", "times each engine is set up and solved; medians are reported", 1, 1000));
  compare.add(&Args::timeout_s, {.field = "timeout",
                                 .value = "SECONDS",
                                 .unit = "s",
                                 .help = "time an engine may take on a case, reading included",
                                 .check = check_positive});
  add_threads(compare);
  add_settings(compare, &Args::settings, "engine parameter, see 'gridiron engines'; without ENGINE of all that have it",
               engine_settings(true));
  add_reading(compare);
  add_out(compare, "write compare.txt, compare.csv, compare.json and compare.png into this folder");
  add_formats(compare, "which of text,csv,json,png (default: all)",
              {std::begin(kCompareFormats), std::end(kCompareFormats)});
  add_quiet(compare);
  return std::move(compare).run_by(run_compare);
}

}  // namespace gridiron
