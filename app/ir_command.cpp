// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "analysis/results/drop_map.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/run/ir_drop.hpp"
#include "analysis/run/run_facts.hpp"
#include "analysis/run/verdict.hpp"
#include "app/commands.hpp"
#include "app/ir_arguments.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/declare_stress.hpp"
#include "app/session/read_input.hpp"
#include "engines/communicator.hpp"
#include "engines/warm_up_gpu.hpp"
#include "netlist/tables/budget_table.hpp"
#include "netlist/tables/load_table.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/report.hpp"
#include "reports/tables/dump_system.hpp"
#include "reports/text/brief.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kMoreLimits[] = {kStressLimits[0], kStressLimits[1], kEmQuantity};

void dump(const System& system, const OutputPath& folder) {
  const std::vector<double> of_nodes = system.reference();
  std::vector<double> reference;
  for (const int32_t node : system.elimination().kept) reference.push_back(of_nodes[node]);
  dump_system(*system.problem(), system.right_hand_side(Loads(system.design()), 0), reference, system.unknown_names(),
              folder);
}

void take_stock(IrReport& result, const Stopwatch& total) {
  result.timings_s.total = total.seconds();
  result.peak_memory_bytes = peak_memory_bytes();
}

/// Bytes of text that describe about kUnknownsForGpu unknowns.
constexpr uintmax_t kTextForGpu = 30'000'000;

/// Of the files, as far as their sizes are known; what is compressed is taken for six times as long.
uintmax_t text_of(const std::vector<std::string>& files) {
  uintmax_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(file, error);
    const bool is_packed = std::ranges::any_of(std::array{".gz", ".bz2", ".xz", ".zst"},
                                               [&](const char* end) { return file.ends_with(end); });
    if (!error) bytes += is_packed ? 6 * size : size;
  }
  return bytes;
}

/// What an engine that may run on the GPU waits for, begun while the netlist is read.
std::future<void> begin_gpu(const IrArguments& arguments) {
  const bool has_gpu_form =
      arguments.engine == "auto" || find_engine(arguments.engine).devices.find("cuda") != std::string_view::npos;
  const bool may_use_it =
      arguments.device == "cuda" || (arguments.device == "auto" && text_of(arguments.inputs()) >= kTextForGpu);
  return has_gpu_form && may_use_it ? std::async(std::launch::async, warm_up_gpu) : std::future<void>();
}

/// Checksums of all files take as long as a fifth of the reading, and one thread: they are computed beside the analysis
/// if it may have more, and otherwise before it, as they need the pages of the text.
std::future<std::vector<RunFacts::InputFile>> begin_checksums(const Circuit& circuit, std::vector<std::string> tables) {
  const bool has_one_thread = omp_get_max_threads() == 1;
  auto files = std::async(has_one_thread ? std::launch::deferred : std::launch::async,
                          [&circuit, tables = std::move(tables)] { return input_files(circuit, tables); });
  if (has_one_thread) files.wait();
  return files;
}

/// Text and JSON report the time taken by the other formats, so they are written last.
void write_all(IrReport& result, RunFolder& folder, Formats formats, bool compress, const Stopwatch& total,
               const std::function<void(int64_t, int64_t)>& part) {
  Stopwatch watch;
  Formats closing;
  for (const char* name : {"text", "json"})
    if (formats.erase(name) > 0) closing.insert(name);
  take_stock(result, total);
  write_reports(result, folder.path(), formats, compress, part);
  result.timings_s.report = watch.seconds();
  take_stock(result, total);
  write_reports(result, folder.path(), closing);
  folder.finish();
}

/// Where the system is dumped: a folder of its own unless it is that of the reports.
std::unique_ptr<RunFolder> dump_folder(const IrArguments& arguments) {
  std::error_code is_not_there;
  const bool is_other = !arguments.dump_system.empty() &&
                        !std::filesystem::equivalent(arguments.dump_system, arguments.out, is_not_there);
  if (!is_other) return nullptr;
  return std::make_unique<RunFolder>(arguments.dump_system, RunReports{"dump", {"system"}}, arguments.inputs());
}

int run_ir(const IrArguments& arguments) {
  if (processes_of_mpirun() > 1) return run_shared_ir(arguments);
  Stopwatch total;
  IrOptions options = options_of(arguments);
  const Formats formats = report_formats(arguments.formats, arguments.out);
  find_engine(arguments.engine == "auto" ? engines()[0].name : std::string_view(arguments.engine));
  const std::future<void> gpu = begin_gpu(arguments);
  RunFolder folder(arguments.out, {"ir", formats, netlist_name(arguments.netlist)}, arguments.inputs());
  const std::unique_ptr<RunFolder> dumped = dump_folder(arguments);
  read_tables(arguments, options);
  std::optional<GoldenMap> golden;
  if (!arguments.golden.empty()) golden = read_golden_map(arguments.golden);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  progress.follow(options.context);

  progress.stage("read");
  Stopwatch watch;
  const auto part = [&](int64_t done, int64_t all) { progress.part(done, all); };
  ReadOptions read_options = arguments.read_options();
  read_options.progress = part;
  read_options.opens = [&](const std::string& file) {
    folder.protect(file);
    if (dumped) dumped->protect(file);
  };
  const Circuit circuit = read_input(arguments, arguments.net, read_options, options);
  folder.clear();
  const double read_s = watch.seconds();
  std::future<std::vector<RunFacts::InputFile>> checksums;
  if (formats.contains("json") || formats.contains("html")) checksums = begin_checksums(circuit, arguments.tables());
  if (!arguments.dump_system.empty())
    options.show_system = [&](const System& system) {
      dump(system, dumped ? dumped->path() : folder.path());
      if (dumped) dumped->finish();
    };
  IrReport result = analyse_ir_drop(circuit, options);
  spell_fields(result.findings);
  arguments.require_sound(result.findings);
  if (arguments.strict) require_no_warnings(result.findings);
  if (golden) result.golden = score_map(result, *golden);
  result.input_path = arguments.netlist;
  result.netlist_name = netlist_name(arguments.netlist);
  for (const auto& file : circuit.files) result.input_bytes += file->bytes_on_disk();
  result.run = run_facts(arguments);
  if (checksums.valid()) result.run.files = checksums.get();
  result.timings_s.read = read_s;

  if (!arguments.out.empty()) {
    progress.stage("report");
    append(result.findings, left_out_of_reports(result, formats));
    write_all(result, folder, formats, arguments.compress, total, part);
  }
  take_stock(result, total);
  progress.finish();
  if (!arguments.quiet)
    fmt::print("{}", arguments.full ? text_summary(result) : brief_summary(result, {arguments.out, formats}));
  if (const std::string miss = tolerance_miss(result, options); !miss.empty()) throw SolverError(miss);
  if (result.budget)
    if (const std::string miss = tolerance_miss(*result.budget, options); !miss.empty()) throw SolverError(miss);
  return exit_code(verdict_of(result));
}

}  // namespace

std::vector<std::string> IrArguments::tables() const {
  std::vector<std::string> tables;
  for (const std::string* file : {&loads, &budget, &golden})
    if (!file->empty()) tables.push_back(*file);
  append(tables, stress_tables());
  append(tables, em_tables());
  append(tables, table_files(em_limits));
  append(tables, layout_tables());
  return tables;
}

std::vector<std::string> IrArguments::inputs() const {
  std::vector<std::string> inputs = files();
  append(inputs, tables());
  if (!pads.empty()) inputs.push_back(pads);
  return inputs;
}

namespace {

/// Cross-sections are for the stress of metal, for rules, or for both.
StressArguments of_stress(const IrArguments& arguments) {
  StressArguments of_stress = arguments;
  if (arguments.em_stress.empty() && arguments.em_rules.empty() && !arguments.em_layers.empty())
    throw field_error("em_layers", "{}: there are no {} and no {} that it is for", arguments.em_layers,
                      field("em_rules"), field("em_stress"));
  if (arguments.em_stress.empty() && !arguments.em_rules.empty()) of_stress.em_layers.clear();
  return of_stress;
}
EmArguments of_rules(const IrArguments& arguments) {
  EmArguments of_rules = arguments;
  of_rules.em_widths = arguments.em_layers;
  return of_rules;
}

}  // namespace

namespace {

/// Voids grow by the loads of the deck.
void require_no_budget(const IrArguments& arguments, const StressOptions& stress) {
  if (arguments.budget.empty() || !(stress.cascade || !stress.lifetime_limits.empty())) return;
  throw field_error("budget", "{}: {} judges the loads of the deck only; leave out one of the two", arguments.budget,
                    stress.cascade ? field("em_cascade") : field("limit") + " lifetime");
}

}  // namespace

IrOptions options_of(const IrArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  require_out_to_compress(arguments.compress, arguments.out);
  options.context.device = arguments.device;
  options.engine = arguments.engine;
  options.tolerance_v = parse_tolerance(arguments.tolerance);
  if (arguments.rtol > 0) options.rtol = arguments.rtol;
  options.max_iterations = arguments.max_iterations;
  options.reduce = !arguments.no_reduce;
  options.net = arguments.net;
  std::vector<std::string> limits = arguments.limits;
  std::vector<LifetimeLimit> lifetimes = take_lifetime_limits(limits);
  options.limits = parse_limits(limits, [](const std::string& text) { return parse_limit(text, kMoreLimits); });
  options.stress = stress_options(of_stress(arguments), options.limits, std::move(lifetimes));
  options.em = em_settings(of_rules(arguments), options.limits);
  if (options.stress && options.stress->cascade && options.limits.empty() &&
      std::ranges::any_of(options.stress->lifetime_limits, [](const LifetimeLimit& limit) { return !limit.percent; }))
    throw field_error("limit", "lifetime: with {} it is that to the IR-drop failure; give {} on drops, too, like 10%",
                      field("em_cascade"), field("limit"));
  if (options.stress) require_no_budget(arguments, *options.stress);
  options.em_limits = parse_em_limits(arguments.em_limits);
  options.accept_estimate = arguments.accept_estimate;
  options.why = arguments.why;
  options.pad_gains = pad_gain_options(arguments);
  options.settings = parse_settings(arguments.settings, arguments.engine);
  if (arguments.budget.empty() && !arguments.budget_nodes.empty())
    throw field_error("budget_node", "{}: there is no {} to bound it over", arguments.budget_nodes.front(),
                      field("budget"));
  for (const auto& [value, name] :
       {std::pair(arguments.budget_worst, "budget_worst"), {arguments.budget_solves, "budget_solves"}})
    if (arguments.budget.empty() && value)
      throw input_error("{} {}: there is no {} that it is for", field(name), *value, field("budget"));
  options.over_budget.nodes = arguments.budget_nodes;
  options.over_budget.worst = arguments.budget_worst.value_or(10);
  options.over_budget.most_solves = arguments.budget_solves.value_or(1000);
  return options;
}

void read_tables(const IrArguments& arguments, IrOptions& options) {
  if (!arguments.loads.empty()) options.loads = read_loads(arguments.loads);
  if (!arguments.budget.empty()) options.budget = read_budget(arguments.budget);
  if (options.stress) read_stress_tables(arguments, *options.stress);
  read_em_tables(of_rules(arguments), options.em);
}

RunFacts run_facts(const IrArguments& arguments) {
  RunFacts run = facts_of_this_run();
  add_option(run, "engine", arguments.engine);
  add_option(run, "device", arguments.device);
  add_accuracy(run, arguments.rtol, arguments.tolerance);
  add_option(run, "max-iterations", std::to_string(arguments.max_iterations));
  add_option(run, "net", arguments.net);
  add_option(run, "limit", arguments.limits);
  add_option(run, "em-limit", arguments.em_limits);
  add_em_options(run, arguments);
  list_stress_options(arguments, run);
  add_option(run, "set", arguments.settings);
  add_option(run, "loads", arguments.loads);
  add_option(run, "budget", arguments.budget);
  add_option(run, "golden", arguments.golden);
  if (arguments.no_reduce) add_option(run, "no-reduce", "yes");
  if (arguments.accept_estimate) add_option(run, "accept-estimate", "yes");
  arguments.list(run);
  return run;
}

namespace {

/// What loads draw, beside what the deck says.
void add_loads(Declaration<IrArguments>& ir) {
  ir.add(&IrArguments::loads,
         file("loads",
              "load vectors: .npz with arrays 'loads' (sources x vectors, A) and 'names', or CSV "
              "with a row per source; reports and limits then refer to the worst over all vectors"));
  ir.add(&IrArguments::budget,
         {.field = "budget",
          .value = "FILE",
          .help = "bound the drops over all loads that this CSV file allows, each,MEMBERS,MOST,LEAST and "
                  "sum,MEMBERS,MOST; limits on the worst drop are judged on them, too",
          .excludes = "loads",
          .path = Argument::Path::file});
  ir.add(&IrArguments::budget_nodes,
         {.field = "budget_node", .value = "NODE", .help = "bound the drop of this node over the budget, too"});
  ir.add(&IrArguments::budget_worst,
         whole_number("budget_worst", "nodes of each net to list over the budget", 1, 100000, "10"));
  ir.add(&IrArguments::budget_solves,
         whole_number("budget_solves",
                      "adjoint solves to spend on the worst node of each net; what is not decided then is said", 1,
                      INT_MAX, "1000"));
}

}  // namespace

ToolCommand ir_command() {
  Declaration<IrArguments> ir({.name = "ir",
                               .help = "static IR drop of a netlist",
                               .description =
                                   "Reads a SPICE deck of a power grid, or extracts it from a layout in DEF and LEF, "
                                   "solves for every node voltage, proves how accurate the solution is, and reports "
                                   "the drop of nets, layers, pads and instances. Started by mpirun, several "
                                   "processes share a netlist: mpirun -n 8 gridiron ir chip.sp --engine hypre.",
                               .example = "gridiron ir chip.sp.gz --limit worst=5% --out results"});
  add_netlist(ir);
  add_further_files(ir);
  add_layout(ir);
  add_engine(ir, &IrArguments::engine);
  add_device(ir, &IrArguments::device);
  add_tolerance(ir, &IrArguments::tolerance);
  add_rtol(ir, &IrArguments::rtol, "stop at this relative residual instead", "tolerance");
  add_max_iterations(ir, &IrArguments::max_iterations);
  add_settings(ir, &IrArguments::settings);
  ir.add(&IrArguments::net,
         {.field = "net", .value = "NAME", .help = "report this net only; of a layout, extract this net only"});
  add_limits(ir, &IrArguments::limits,
             "largest allowed drop, 5% or 50mV, or [NET:[LAYER:]]QUANTITY=LIMIT with worst, "
             "average, p50, p95, p99, p99.9, or stress=80% of the critical one, or lifetime=10y, or em=100% of rules; "
             "exit code 1 when "
             "exceeded, 4 when the certified "
             "bound does not decide");
  ir.add(&IrArguments::em_limits,
         file("em_limit",
              "largest allowed current of a segment, LAYER=CURRENT like M1=5mA or M1-M2=300uA, or a CSV table "
              "layer,a_per_um,width_um; exit codes as for the limits on drops",
              "LIMIT"));
  add_em_rules(ir, false);
  add_stress(ir, "", "loads");
  ir.add(&IrArguments::accept_estimate,
         {.field = "accept_estimate",
          .help = "keep limits by estimated errors, too, where none can be proved: controlled sources and negative "
                  "resistances; otherwise exit code 4"});
  ir.add(&IrArguments::why,
         {.field = "why",
          .value = "NODE",
          .help = "explain the drop of this node, or of the 'worst' one: path to a pad, loads and segments that "
                  "matter most, gain of widening these",
          .suggestions = {"worst"}});
  ir.add(&IrArguments::pad_gains,
         whole_number("pad_gains",
                      "places to list where one more pad lowers the worst drop of a net most: of nets that exceed a "
                      "limit, or of all if none does",
                      1, 1000));
  add_pad_arguments(ir);
  add_strict(ir);
  add_loads(ir);
  ir.add(&IrArguments::dump_system,
         {.field = "dump_system",
          .value = "FOLDER",
          .help = "write matrix, right-hand side, reference voltages and node names into this "
                  "folder (Matrix Market)",
          .path = Argument::Path::folder});
  ir.add(&IrArguments::no_reduce, {.field = "no_reduce", .help = "keep dangling and series nodes in the system"});
  add_out(ir, "write the reports into this folder");
  add_report_formats(ir);
  add_compress(ir, "solution and csv");
  ir.add(&IrArguments::golden,
         file("golden",
              "compare with this map of drops, a line per x with a value per um along y (ir_drop_map.csv of "
              "ICCAD-2023): mean error, and F1 of the pixels above 90 % of the maximum"));
  add_full(ir);
  add_quiet(ir);
  return std::move(ir).run_by(run_ir);
}

}  // namespace gridiron
