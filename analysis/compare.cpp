// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "analysis/model/deck/pads.hpp"
#include "analysis/pde/pde_system.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/solve/fine_batch.hpp"
#include "analysis/solve/ready_engine.hpp"
#include "analysis/solve/refinement.hpp"
#include "engines/engine.hpp"
#include "netlist/reader.hpp"
#include "netlist/tables/pad_table.hpp"
#include "support/shown_number.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr double kResidualLeeway = 2;  ///< the residual that an engine reports may drift by this factor

/// A case prepared for the engines, with the one that is at work.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::shared_ptr<const Problem> problem() const = 0;
  virtual std::span<const double> right_hand_side() const = 0;
  virtual std::unique_ptr<Engine>& engine() = 0;
  /// When the engine may stop, once it is set up.
  virtual StopRule stop_rule() = 0;
  /// Takes the solution that the engine stopped at, and improves it until it is as good as asked for; the time that
  /// this took, s, the judgement left out.
  virtual double finish(std::vector<double>& x, SolveStats& stats) = 0;
  /// The solution that engines are compared by.
  virtual std::vector<double> answer(std::span<const double> x) const = 0;
  /// Guaranteed bound on the error of the last solution, NaN where the case has no certificate.
  virtual double certified_bound() = 0;
};

std::shared_ptr<const Design> read_design(const std::string& netlist, const DeckReading& reading) {
  DesignOptions options;
  options.nominal_v = reading.nominal_v;
  options.node_pattern = reading.node_pattern;
  if (reading.dbu_per_um > 0) options.dbu_per_um = reading.dbu_per_um;
  Circuit circuit = read_netlist(netlist, {.lenient = reading.lenient, .dialect = reading.dialect, .top = reading.top});
  if (!reading.pads.empty()) apply_pads(circuit, read_pads(reading.pads), options.dbu_per_um, options.node_pattern);
  return make_design(std::make_shared<const Circuit>(std::move(circuit)), options);
}

/// Compares the voltages of all nodes that have one, including eliminated nodes, which are solved for as in `ir`.
class NetlistWorkload : public Workload {
 public:
  explicit NetlistWorkload(const CompareJob& job)
      : options_(options_of(job)),
        system_(read_design(job.what.netlist, job.what.reading)),
        ready_{&options_, &find_engine(job.engine),
               "",        "",
               0,         DeviceSolve(),
               nullptr,   Certifier(system_, job.max_iterations)},
        loads_(system_.design()),
        arrived_(system_.elimination().steps.size()),
        b_(system_.problem()->matrix.rows) {
    system_.elimination().reduce(system_.injection(loads_, 0), arrived_, b_);
  }

  std::shared_ptr<const Problem> problem() const override { return system_.problem(); }
  std::span<const double> right_hand_side() const override { return b_; }
  std::unique_ptr<Engine>& engine() override { return ready_.engine; }

  StopRule stop_rule() override {
    ready_.certifier.find_barrier(*engine());
    return ready_.stop_rule(Bounds::tight);
  }

  double finish(std::vector<double>& x, SolveStats& stats) override {
    const Batch batch = workspace_.batch(system_, loads_, 0, 1, ready_.certifier.has_levels());
    system_.elimination().recover(arrived_, x, batch.voltage.column(0));
    solution_.emplace(ready_.certifier, batch);
    accuracy_ = {};
    accuracy_.stats = stats.columns.front();
    if (!solution_->is_finite(0)) return 0;
    solution_->settle(0);
    accuracy_.certificate = solution_->certificate(0);
    const Stopwatch watch;
    if (stats.converged || stats.iterations < options_.max_iterations)  // or refinement would go beyond the limit
      refine(*solution_, {&accuracy_, 1}, ready_, workspace_.scratch);
    const double seconds = watch.seconds();
    stats.iterations = accuracy_.stats.iterations;
    stats.converged = accuracy_.stats.converged;
    for (size_t i = 0; i < x.size(); ++i) x[i] = batch.voltage.data[system_.elimination().kept[i]];
    return seconds;
  }

  std::vector<double> answer(std::span<const double>) const override {
    std::vector<double> anchored;
    for (int32_t n = 0; n < system_.network().nodes; ++n)
      if (system_.connected_system()[n] >= 0) anchored.push_back(workspace_.voltage[n]);
    return anchored;
  }

  double certified_bound() override {
    Certificate& certificate = accuracy_.certificate;
    if (!certificate.valid || (!options_.rtol && can_improve(accuracy_, options_)))
      ready_.certifier.sharpen(*engine(), solution_->voltage(0), solution_->injection(0), certificate);
    return certificate.valid ? certificate.max_error_v : kUnknown;
  }

 private:
  static SolverOptions options_of(const CompareJob& job) {
    SolverOptions options;
    options.tolerance_v = job.tolerance_v;
    if (job.tolerance_v == 0) options.rtol = job.rtol;
    options.max_iterations = job.max_iterations;
    return options;
  }

  SolverOptions options_;
  System system_;
  ReadyEngine ready_;
  Loads loads_;
  Workspace workspace_;
  std::vector<double> arrived_, b_;
  std::optional<FineBatch> solution_;
  Accuracy accuracy_;
};

class ModelWorkload : public Workload {
 public:
  explicit ModelWorkload(const CompareJob& job) : stop_{job.rtol, 0, job.max_iterations} {
    const PdeProblem& info = find_pde_problem(job.what.pde);
    PdeChoices choices;
    choices.size = job.what.size;
    PdeSystem system = make_system(info, choices);
    problem_ = std::move(system.problem);
    b_ = std::move(system.b);
    b_.resize(problem_->matrix.rows);  // the first of several right-hand sides
  }

  std::shared_ptr<const Problem> problem() const override { return problem_; }
  std::span<const double> right_hand_side() const override { return b_; }
  std::unique_ptr<Engine>& engine() override { return engine_; }
  StopRule stop_rule() override { return stop_; }
  double finish(std::vector<double>&, SolveStats&) override { return 0; }
  std::vector<double> answer(std::span<const double> x) const override { return {x.begin(), x.end()}; }
  double certified_bound() override { return kUnknown; }

 private:
  StopRule stop_;
  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const Problem> problem_;
  std::vector<double> b_;
};

std::unique_ptr<Workload> make_workload(const CompareJob& job) {
  if (job.what.netlist.empty()) return std::make_unique<ModelWorkload>(job);
  return std::make_unique<NetlistWorkload>(job);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double relative_residual(const CsrMatrix& a, std::span<const double> b, std::span<const double> x) {
  std::vector<double> product(b.size());
  multiply(a, x.data(), product.data());
  double residual = 0, norm = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    residual += (b[i] - product[i]) * (b[i] - product[i]);
    norm += b[i] * b[i];
  }
  return residual == 0 ? 0.0 : std::sqrt(residual / norm);
}

void write_reference(const std::vector<double>& answer, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(answer.data()),
             static_cast<std::streamsize>(answer.size() * sizeof(double)));
  if (!file.flush()) throw ResourceError("no room for the reference solution in the folder for temporary files");
}

std::vector<double> read_reference(size_t size, const std::string& path) {
  std::vector<double> reference(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(reference.data()), static_cast<std::streamsize>(size * sizeof(double)));
  if (!file || file.peek() != std::ifstream::traits_type::eof())
    throw InputError("the solution has another size than the reference's: the netlist changed between two runs");
  return reference;
}

void compare_with(const std::vector<double>& reference, const std::vector<double>& answer, CompareRun& run) {
  double sum = 0;
  run.max_error = 0;
  for (size_t i = 0; i < answer.size(); ++i) {
    const double error = std::abs(answer[i] - reference[i]);
    sum += error;
    if (!(error <= run.max_error)) run.max_error = error;
  }
  run.mean_error = answer.empty() ? 0 : sum / answer.size();
}

/// Sets up and solves `repeat` times from scratch; keeps the solution of the last run, and the workload its engine.
struct Trial {
  std::vector<double> x;
  SolveStats stats;

  Trial(const CompareJob& job, const EngineInfo& info, Workload& workload, CompareRun& run) {
    const std::shared_ptr<const Problem> problem = workload.problem();
    const std::span<const double> b = workload.right_hand_side();
    const auto rows = std::ssize(b);
    std::vector<double> setup_s, solve_s, total_s;
    std::unique_ptr<Engine>& engine = workload.engine();
    while (static_cast<int>(total_s.size()) < job.repeat) {
      engine.reset();
      engine = make_engine(info, choose_device(info, job.device), job.settings);
      Stopwatch watch;
      engine->setup(problem);
      setup_s.push_back(watch.lap());
      StopRule stop = workload.stop_rule();
      stop.from_zero = true;
      x.assign(b.size(), 0.0);
      watch.lap();
      stats = engine->solve({b.data(), rows, 1}, {x.data(), rows, 1}, stop);
      const double seconds = watch.lap();
      solve_s.push_back(seconds + workload.finish(x, stats));
      total_s.push_back(setup_s.back() + solve_s.back());
      if (!stats.converged) break;
    }
    run.solved = true;
    run.setup_s = median(std::move(setup_s));
    run.solve_s = median(std::move(solve_s));
    run.total_s = median(std::move(total_s));
    run.iterations = stats.iterations;
    run.bytes = engine->bytes();
    run.parameters = engine->parameters();
    run.relative_residual = relative_residual(problem->matrix, b, x);
  }
};

bool asks_for_volts(const CompareJob& job) { return job.tolerance_v > 0 && !job.what.netlist.empty(); }

void judge_convergence(const CompareJob& job, const Trial& trial, CompareRun& run) {
  if (!trial.stats.converged) {
    run.status = RunStatus::not_converged;
    run.detail = fmt::format("stopped at a relative residual of {:.1e}", Shown{run.relative_residual});
  } else if (!asks_for_volts(job) && !(run.relative_residual <= kResidualLeeway * job.rtol)) {
    run.status = RunStatus::not_converged;
    run.detail = fmt::format("claims a relative residual of {:.1e}, has {:.1e}", Shown{trial.stats.relative_residual},
                             Shown{run.relative_residual});
  }
}

double certified_bound(Workload& workload) {
  try {
    return workload.certified_bound();
  } catch (const SolverError&) {
    return kUnknown;  // the case itself is solved; only its barrier failed
  }
}

void do_not_certify(CompareRun& run, std::string why) {
  run.status = RunStatus::not_certified;
  run.detail = std::move(why);
}

/// A small residual alone proves nothing: what counts on a netlist is the certified bound, and the difference to the
/// reference.
void judge_volts(const CompareJob& job, const std::vector<double>& answer, CompareRun& run) {
  const double bound = run.certified_bound_v;
  if (!asks_for_volts(job)) {
    double largest = 0;
    for (const double drop : answer) largest = std::max(largest, std::abs(drop));
    if (std::string loose = loose_bound(bound, job.rtol, largest); !loose.empty())
      do_not_certify(run, std::move(loose));
  } else if (bound <= job.tolerance_v) {
    run.status = RunStatus::ok;
    run.detail.clear();
  } else {
    std::string miss = std::isnan(bound)
                           ? "no error bound could be certified"
                           : fmt::format("certified to {:.2e} V, asked for {:.2e} V", Shown{bound}, job.tolerance_v);
    if (run.status == RunStatus::ok)
      do_not_certify(run, std::move(miss));
    else
      run.detail += "; " + miss;
  }
  if (run.status == RunStatus::ok && asks_for_volts(job) && run.max_error > job.tolerance_v)
    do_not_certify(run, fmt::format("differs by {:.2e} V from the reference, asked for {:.2e} V", Shown{run.max_error},
                                    job.tolerance_v));
}

void run_engine(const CompareJob& job, Workload& workload, CompareRun& run) {
  const EngineInfo& info = find_engine(job.engine);
  if (const auto reason = info.declines(*workload.problem())) {
    run.status = RunStatus::declined;
    run.detail = *reason;
    return;
  }
  Trial trial(job, info, workload, run);
  judge_convergence(job, trial, run);
  const std::vector<double> answer = workload.answer(trial.x);
  if (job.reference == CompareJob::Reference::read)
    compare_with(read_reference(answer.size(), job.reference_file), answer, run);
  if (!job.what.netlist.empty() && std::isfinite(run.relative_residual)) {
    run.certified_bound_v = certified_bound(workload);
    judge_volts(job, answer, run);
  }
  if (has_solution(run.status) && job.reference == CompareJob::Reference::write)
    write_reference(answer, job.reference_file);
}

}  // namespace

std::string CompareCase::name() const { return netlist.empty() ? fmt::format("{} {}", pde, size) : netlist; }

std::string_view name_of(RunStatus status) {
  constexpr std::string_view kNames[] = {
      "ok",        "not converged", "not certified", "declined", "invalid input", "cannot be analysed", "out of memory",
      "timed out", "crashed"};
  return kNames[static_cast<int>(status)];
}

RunStatus status_of(ExitCode code) {
  switch (code) {
    case ExitCode::not_analysable:
      return RunStatus::unanalysable;
    case ExitCode::not_converged:
      return RunStatus::not_converged;
    case ExitCode::out_of_resources:
      return RunStatus::out_of_memory;
    default:
      return RunStatus::invalid_input;
  }
}

bool has_solution(RunStatus status) { return status == RunStatus::ok || status == RunStatus::not_certified; }

bool CaseRuns::has_good_row() const {
  return std::ranges::any_of(runs, [](const CompareRun& run) { return run.status == RunStatus::ok; });
}

double CaseRuns::ratio_to_reference(const CompareRun& run) const {
  const CompareRun& reference = runs.front();
  const bool comparable = run.status == RunStatus::ok && reference.status == RunStatus::ok;
  return comparable ? run.total_s / reference.total_s : kUnknown;
}

bool Comparison::missed(const CompareRun& run) const {
  if (!run.requested || run.status == RunStatus::ok) return false;
  if (run.status != RunStatus::declined) return true;
  const auto declines = [&](const CompareRun& other) {
    return other.name() != run.name() || other.status == RunStatus::declined;
  };
  return run.named &&
         std::ranges::all_of(cases, [&](const CaseRuns& one) { return std::ranges::all_of(one.runs, declines); });
}

CompareRun measure(const CompareJob& job) {
  CompareRun run;
  run.engine = job.engine;
  run.device = job.device;
  try {
    const std::unique_ptr<Workload> workload = make_workload(job);
    run.unknowns = workload->problem()->matrix.rows;
    run.nonzeros = workload->problem()->matrix.nonzeros();
    run_engine(job, *workload, run);
  } catch (const Error& e) {
    run.status = status_of(e.code());
    run.detail = e.message();
  } catch (const std::bad_alloc&) {
    run.status = RunStatus::out_of_memory;
  }
  return run;
}

}  // namespace gridiron
