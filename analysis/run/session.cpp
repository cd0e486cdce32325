// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/insight/cascade.hpp"
#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/model/floating_loads.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/run/any_ir.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "netlist/reader.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/memory.hpp"
#include "support/plural.hpp"
#include "support/short_waits.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

bool is_same(const SolverOptions& a, const SolverOptions& b) {
  return a.engine == b.engine && a.settings == b.settings && a.tolerance_v == b.tolerance_v && a.rtol == b.rtol &&
         a.max_iterations == b.max_iterations;
}

bool is_same(const LimitRequest& a, const LimitRequest& b) {
  return a.net == b.net && a.layer == b.layer && a.quantity == b.quantity && a.value == b.value &&
         a.is_share == b.is_share;
}

bool is_same(const EmLimit& a, const EmLimit& b) {
  return a.layer == b.layer && a.limit_a == b.limit_a && a.a_per_um == b.a_per_um && a.width_um == b.width_um &&
         a.is_of_table == b.is_of_table && a.place == b.place && a.is_atto == b.is_atto;
}

bool are_same(const auto& a, const auto& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return is_same(x, y); });
}

/// Tables of load vectors and of rules are not compared.
bool is_same(const Session::Request& a, const Session::Request& b) {
  return is_same(static_cast<const SolverOptions&>(a), b) && a.context.device == b.context.device && a.net == b.net &&
         a.accept_estimate == b.accept_estimate && !a.loads && !b.loads && !a.em && !b.em &&
         are_same(a.limits, b.limits) && are_same(a.em_limits, b.em_limits);
}

}  // namespace

void Session::read(const std::string& path, const ReadOptions& read, const DesignOptions& options) {
  Session::read(path, std::make_shared<const Circuit>(read_netlist(path, read)), options);
}

void Session::read(const std::string& path, std::shared_ptr<const Circuit> circuit, const DesignOptions& options) {
  ++work_.reads;
  adopt(make_design(circuit, options));
  circuit_ = std::move(circuit);
  path_ = path;
  loads_.emplace(design_);
  edits_.clear();
}

void Session::forget(std::string why) {
  forget_solvers();
  design_.reset();
  system_.reset();
  loads_.reset();
  circuit_.reset();
  edits_.clear();
  report_ = {};
  path_.clear();
  why_none_ = std::move(why);
  ++grid_;
  changed();
}

Session Session::successor() {
  forget_solvers();
  Session next;
  next.work_ = work_;
  next.spelling_ = spelling_;
  return next;
}

void Session::back(Session& successor) {
  work_ = successor.work();
  successor = std::move(*this);
}

/// Everything but the loads and edits.
void Session::adopt(std::shared_ptr<const Design> design) {
  ++work_.designs;
  forget_solvers();
  design_ = std::move(design);
  system_.reset();
  ++grid_;
  changed();
}

const Design& Session::design() const {
  if (!design_) throw InputError(why_none_);
  return *design_;
}

CheckResult Session::check() const { return check_netlist(*design().as_read, design().options); }

void Session::set_nominal(const std::string& net, double volts) {
  const std::vector<Net> nets = design().topology ? design().topology->nets.nets : std::vector<Net>();
  const bool is_known = std::ranges::any_of(nets, [&](const Net& n) { return same_name(n.name, net); });
  if (!is_known && std::ranges::any_of(nets, [](const Net& n) { return !n.is_ground(); }))
    throw field_error("net", "{}: the netlist has no such net; it has {}", net, nets_near(net, nets));
  DesignOptions options = design().options;
  std::erase_if(options.nominal_v, [&](const auto& earlier) { return same_name(earlier.first, net); });
  options.nominal_v[net] = volts;
  make_again(options);
}

void Session::make_again(const DesignOptions& options) {
  auto other = make_design(circuit_, options);
  Loads loads(other);
  std::ranges::copy(loads_->vector(0), loads.vector(0).begin());
  adopt(std::move(other));
  loads_ = std::move(loads);
}

void Session::set_islands(const IslandRule& rule) {
  if (design().options.islands == rule || !design().topology) return;
  const Topology& topology = *design().topology;
  const bool has_islands =
      !topology.left_out.is_empty() || !sources_at_floating(*design().circuit, topology.parts).empty();
  if (!has_islands) return;
  DesignOptions options = design().options;
  options.islands = rule;
  const LeftOut left_out = find_left_out(*circuit_, design().places, topology.parts, rule);
  if (left_out.parts != topology.left_out.parts) make_again(options);
}

void Session::set_load(const std::string& source, double amperes) {
  design();
  loads_->set(source, amperes);
  changed();
}

double Session::load(const std::string& source) const {
  const int64_t index = design().find_element(kCurrentSource, source);
  if (index < 0)
    throw unknown_element(*design().circuit, kCurrentSource, source,
                          fmt::format("load {}: the netlist has no current source of that name", source));
  return loads_->vector(0)[index];
}

const Loads& Session::loads() const {
  design();
  return *loads_;
}

const System& Session::system() {
  if (system_) return *system_;
  design().throw_first_error();
  System system(design_);
  if (!edits_.empty()) system.apply(edits_);
  system_ = std::move(system);
  ++work_.systems;
  return *system_;
}

void Session::apply(std::span<const Edit> edits) {
  System edited = system();
  edited.apply(edits);
  system_ = std::move(edited);
  edits_.insert(edits_.end(), edits.begin(), edits.end());
  ++work_.systems;
  ++grid_;
  changed();
}

double Session::resistance(const std::string& resistor) const {
  const int64_t index = design().find_element(kResistor, resistor);
  if (index < 0)
    throw unknown_element(*design().circuit, kResistor, resistor,
                          fmt::format("resistor {}: the netlist has none of that name", resistor));
  double ohm = circuit_->resistors.value[index];
  for (const Edit& edit : edits_) {
    if (const auto* set = std::get_if<SetResistor>(&edit);
        set && design_->find_element(kResistor, set->resistor) == index)
      ohm = set->ohm;
    if (const auto* scale = std::get_if<ScaleResistor>(&edit);
        scale && design_->find_element(kResistor, scale->resistor) == index)
      ohm *= scale->factor;
    if (const auto* scale = std::get_if<ScaleResistors>(&edit))
      for (const int64_t scaled : scale->resistors)
        if (scaled == index) ohm *= scale->factor;
  }
  return ohm;
}

Session::Solved& Session::solver_for(const Request& request, Solver::Work& before) {
  const System& grid = system();
  const auto found = std::ranges::find_if(solvers_, [&](const Solved& solved) {
    return is_same(solved.options, request) && solved.device == request.context.device;
  });
  if (found == solvers_.end()) {
    solvers_.push_back({request, request.context.device, grid_,
                        std::make_unique<Solver>(grid, static_cast<const SolverOptions&>(request), request.context)});
    return solvers_.back();
  }
  Solver& solver = *found->solver;
  before = solver.work();
  solver.set_stop(request.context.stop);
  solver.set_threads(request.context.threads);
  solver.set_progress(request.context.progress, request.context.share_done);
  if (found->grid != grid_) {
    solver.update(grid);
    found->grid = grid_;
  }
  return *found;
}

std::vector<Finding> Session::change_findings(bool has_other_loads) const {
  design();
  std::vector<Finding> findings;
  if (!edits_.empty())
    findings.push_back({Finding::Severity::info, "edited",
                        fmt::format("the grid is not what was read: {} since then, the last {}",
                                    counted(std::ssize(edits_), "change"), described(edits_.back())),
                        path_});
  const std::vector<double>& of_deck = circuit_->current_sources.value;
  int64_t changed = 0;
  for (int64_t i = 0; i < std::ssize(of_deck) && !has_other_loads; ++i)
    for (int64_t j = 0; j < loads_->vectors(); ++j)
      if (loads_->vector(j)[i] != of_deck[i]) {
        ++changed;
        break;
      }
  if (changed > 0)
    findings.push_back({Finding::Severity::info, "loads-changed",
                        fmt::format("{} {} another current than the deck says", counted(changed, "current source"),
                                    changed == 1 ? "draws" : "draw"),
                        path_});
  return findings;
}

IrReport Session::estimated(const Request& request, const Loads& given) const {
  IrOptions options;
  static_cast<DesignOptions&>(options) = design().options;
  static_cast<SolverOptions&>(options) = request;
  static_cast<SummaryOptions&>(options) = request;
  options.context = request.context;
  options.loads = request.loads;
  const std::shared_ptr<const Design> read = first_design(*circuit_, options);
  Loads loads(read, given.vectors());
  for (int64_t v = 0; v < given.vectors(); ++v) std::ranges::copy(given.vector(v), loads.vector(v).begin());
  return analyse_any_circuit(read, options, loads);
}

IrReport Session::certified(const Request& request, const Loads& given) {
  request.context.progress("reduce");
  system().check(given);
  const AskedNames names(*design_, system().topology(), request.net);
  names.require(request.limits);
  names.require(request.em_limits);
  names.require(request.em);
  Solver::Work before;
  Solver& solver = *solver_for(request, before).solver;
  IrReport report = analyse_loads(solver, given, request.loads.has_value(), request, before);
  if (request.loads) append(report.findings, atto_findings(request.loads->atto));
  add_drop_shares(solver, given, {}, report);
  return report;
}

const IrReport& Session::analyse(const Request& request) {
  const Stopwatch total;
  if (request.allow_reuse && asked_ && reported_ == state_ && is_same(*asked_, request)) {
    ++work_.reused;
    return report_;
  }
  design();
  const Loads given = request.loads ? Loads(design_, *request.loads) : *loads_;
  const ThreadCount threads(request.context.threads);
  const ShortWaits waits;
  IrReport report = is_estimate_only(design()) ? estimated(request, given) : certified(request, given);
  append(report.findings, change_findings(request.loads.has_value()));
  report.input_path = path_;
  report.netlist_name = netlist_name(path_);
  for (const auto& file : circuit_->files) report.input_bytes += file->bytes_on_disk();
  report.timings_s.total = total.seconds();
  report.peak_memory_bytes = peak_memory_bytes();
  report.run = request.run;
  report_ = std::move(report);
  spell_findings();
  asked_ = request;
  asked_->context = {};
  asked_->context.device = request.context.device;
  asked_->context.threads = request.context.threads;
  reported_ = state_;
  return report_;
}

const IrReport& Session::report() const {
  design();
  if (reported_ != state_) throw InputError("there is no analysis of the grid as it is now; analyse it first");
  return report_;
}

const StressReport& Session::find_stress(const StressOptions& options, std::stop_token stop) {
  report();
  if (!report_.vectors.empty())
    throw InputError("the stress of metal is that of one load vector, but several were analysed; analyse one again");
  std::vector<Finding> findings;
  if (options.cascade) require_bounds(design(), field("em_cascade"));
  StressReport stress = gridiron::find_stress(report_, system().topology(), options, findings);
  keep_stress(std::move(stress), std::move(findings), report_);
  if (options.cascade) {
    const Stopwatch watch;
    report_.stress->cascade = find_cascade(options, std::move(stop));
    judge_lifetime_limits(*report_.stress, report_.certificate);
    report_.timings_s.cascade = watch.seconds();
  }
  spell_findings();
  return *report_.stress;
}

void Session::forget_solvers() {
  work_ = work();
  solvers_.clear();
}

Session::Work Session::work() const {
  Work sum = work_;
  for (const Solved& solved : solvers_) {
    sum.setups += solved.solver->work().setups;
    sum.updates += solved.solver->work().updates;
    sum.vectors += solved.solver->work().vectors;
  }
  return sum;
}

}  // namespace gridiron
