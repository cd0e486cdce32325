// SPDX-License-Identifier: Apache-2.0
// Figs. 3 and 4 of the SGML paper: residuals and errors of its cycle on the Poisson problem (7), and what it costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/papers/sgml_plain.hpp"
#include "analysis/papers/sgml_tables.hpp"
#include "analysis/pde/pde_system.hpp"

namespace gridiron {
namespace {

using Model = std::shared_ptr<const PdeModel>;
using Field = PlainSgml::Field;

/// Problem (7) with the paper's nine-point stencil.
Model poisson(int64_t size) {
  return std::make_shared<const PdeModel>(make_model(find_pde_problem("poisson2d"), {.size = size, .stencil = 9}));
}

int doublings_of(int64_t size) { return static_cast<int>(std::lround(std::log2(static_cast<double>(size - 1)))); }

/// f at all points, 0 on the boundary.
Field sources_of(const PdeModel& model) {
  const int64_t n = model.grid.size[0];
  const double h = model.grid.spacing[0];
  Field f(n * n, 0.0);
  for (int64_t j = 1; j + 1 < n; ++j)
    for (int64_t i = 1; i + 1 < n; ++i) f[j * n + i] = model.source({i * h, j * h, 0});
  return f;
}

/// Of the points inside, which are the engine's unknowns.
std::vector<double> inside(const Field& field, int64_t n) {
  std::vector<double> values;
  for (int64_t j = 1; j + 1 < n; ++j)
    values.insert(values.end(), field.begin() + j * n + 1, field.begin() + (j + 1) * n - 1);
  return values;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

constexpr int64_t kSize = 1025;
const char* const kErrorAt1025 = "1.590e-6";

PaperTable convergence(int64_t work) {
  constexpr int kCycles = 11, kErrorsFall = 3, kResidualsFall = 10;
  PaperTable table{
      fmt::format("Fig. 3: convergence on the 2-D Poisson problem (7), {0} x {0}", kSize),
      "Discretisation (5) with nine points and the factor that makes it consistent, which in three dimensions is "
      "0.1629 "
      "where 3/13 is printed; the residual is accumulated and in the maximum norm over that of the "
      "sources, the error is the normalised L1 error (9). The paper shows curves; judged is what its text says of "
      "them. A working unit is an operation on the full mesh: an average of Algorithm 1 or a relaxation-interpolation "
      "of Algorithm 2. 'Converging a little less than 10^-2 for every cycle' is judged by the error over that of the "
      "last cycle, in the cycles before it comes near to the error of the discretisation.",
      {{"working units", Rule::shown, 0, 5},
       {"residual", Rule::at_most, 0, 3, "'converging to machine precision', a tolerance of 10^-14 in the examples"},
       {"falls by", Rule::within, 2.5, 3, "27 to 32 per cycle by a prototype of these algorithms", "prototype"},
       {"L1 error", Rule::as_printed, 0, 4, "the error of the discretisation, as a prototype found it", "prototype"},
       {"of the last", Rule::at_most, 0, 3, "'a little less than 10^-2 for every cycle'"},
       {"residual, our cycle", Rule::shown, 0, 3},
       {"L1 error, our cycle", Rule::as_printed, 0, 4, "as that of the paper's cycle", "prototype"}},
      {}};
  const Model model = poisson(kSize);
  const SgmlCycles paper = run_sgml_cycles(model, kCycles, kPaperCycle),
                   ours = run_sgml_cycles(model, kCycles, kOurCycle);
  for (int k = 0; k < kCycles; ++k) {
    const bool is_last = k + 1 == kCycles;
    const auto before = [k](const std::vector<double>& values) { return k > 0 ? values[k - 1] : 1; };
    const char *const bound = is_last ? "1e-14" : "", *const error = is_last ? kErrorAt1025 : "";
    constexpr double kErrors[kErrorsFall] = {0.0132, 0.0196, 0.0212};
    const bool is_judged = k < kErrorsFall;
    table.rows.push_back(
        {fmt::format("cycle {}", k + 1),
         {{"", static_cast<double>((k + 1) * work)},
          {bound, paper.residual[k]},
          {k > 0 && k < kResidualsFall ? "29.5" : "", before(paper.residual) / paper.residual[k]},
          {error, paper.l1_error[k]},
          {is_judged ? "1e-2" : "", paper.l1_error[k] / before(paper.l1_error), is_judged ? kErrors[k] : NAN},
          {bound, ours.residual[k]},
          {error, ours.l1_error[k]}},
         "up to twice 10^-2; of the steps tried below none gives less in the second cycle"});
  }
  return table;
}

/// The first cycle visit by visit; `work` is set to its operations.
PaperTable saw(int64_t& work) {
  PaperTable table{
      fmt::format("Fig. 3: the saw of the first cycle, {0} x {0}", kSize),
      "Algorithms 1 to 3 of the paper written plainly on the full mesh, as read below, with two relaxations per level; "
      "residuals in "
      "the maximum norm over that of the sources, before the last relaxation of a visit. The diagnostic residual is "
      "that of the level's points with their restricted sources; that of the full mesh is formed with the matrix of "
      "the problem.",
      {{"working units", Rule::shown, 0, 5},
       {"diagnostic residual", Rule::shown, 0, 3},
       {"of the full mesh", Rule::shown, 0, 3},
       {"ratio", Rule::within, 1e-9, 6, "'for the full mesh, both residuals are the same', but for rounding", "text"}},
      {}};
  const Model model = poisson(kSize);
  const PdeSystem system = system_of(model);
  const Field sources = sources_of(*model);
  const double most = largest(sources), most_b = largest(system.b);
  PlainSgml plain(doublings_of(kSize));
  std::vector<double> product(system.b.size());
  plain.cycle(sources, [&](const PlainSgml::Visit& visit) {
    multiply(system.problem->matrix, inside(visit.increment, kSize).data(), product.data());
    for (size_t i = 0; i < product.size(); ++i) product[i] -= system.b[i];
    const double diagnostic = visit.diagnostic / most, full = largest(product) / most_b;
    table.rows.push_back({fmt::format("visit {}, level {}", table.rows.size() + 1, visit.level),
                          {{"", static_cast<double>(visit.work)},
                           {"", diagnostic},
                           {"", full},
                           {visit.level == 0 ? "1" : "", diagnostic / full}}});
  });
  work = plain.work();
  return table;
}

/// The unit square by readings of the algorithms: what is left of residual and error after a cycle.
PaperTable readings() {
  constexpr int64_t kPoints = 257;
  constexpr int kCycles = 6;
  PaperTable table{
      fmt::format("Fig. 3: readings of Algorithms 1 and 2, {0} x {0}", kPoints),
      "Algorithm 1 averages for m from 0 to nu, nu + 1 times, by which the sources of the finest level are averaged as "
      "well: cycles converge slowly, and where the finest level is relaxed the residual would not be that of the full "
      "mesh, which the text says it is. Here it averages nu times. Algorithm 2 takes the 'maximum stable pseudo time "
      "step'; below 0.5 (2^nu h)^2, as printed, the nine-point stencil is stable, too, but near it a relaxation hardly "
      "damps the highest frequencies. Here a step is 0.338 (2^nu h)^2, as in the engine. Means of cycles 2 to 6.",
      {{"step, (2^nu h)^2", Rule::shown, 0, 3},
       {"averages beyond nu", Rule::shown, 0, 3},
       {"residual falls by", Rule::shown, 0, 3},
       {"L1 error of the last, cycle 2", Rule::shown, 0, 3}},
      {}};
  const Model model = poisson(kPoints);
  const double diagonal = 4 * (1 + std::sqrt(0.5)) / (1 + std::sqrt(2.0));
  const auto add = [&](const char* name, SgmlReading reading) {
    PlainSgml plain(doublings_of(kPoints), reading);
    Field r = sources_of(*model), u(r.size(), 0.0);
    double residual[kCycles], error[kCycles];
    for (int k = 0; k < kCycles; ++k) {
      const Field e = plain.cycle(r);
      for (size_t i = 0; i < u.size(); ++i) u[i] += e[i];
      r = plain.residual(r, e);
      residual[k] = largest(r);
      error[k] = error_against_exact(*model, inside(u, kPoints)).l1_relative;
    }
    table.rows.push_back({name,
                          {{"", reading.step / diagonal},
                           {"", static_cast<double>(reading.more_averages)},
                           {"", std::pow(residual[0] / residual[kCycles - 1], 1.0 / (kCycles - 1))},
                           {"", error[1] / error[0]}}});
  };
  add("as here", {});
  add("another average", {.more_averages = 1});
  add("the same, none for the last relaxations", {.more_averages = 1, .ends_with_given = true});
  for (const double step : {0.25, 0.3, 0.4, 0.45, 0.497, 0.5}) add("another step", {.step = step * diagonal});
  return table;
}

PaperTable cost_table() {
  const char* const linear = "'its total number of operations scale linearly with the number of nodes', within a tenth";
  return {
      "Fig. 4: cost of a cycle against the size",
      "The paper shows times of several GPUs; what it claims is that operations are linear in the nodes: as many per "
      "node at all sizes. Operations on the full mesh are counted as Algorithms 1 to 3 are carried out, bytes are "
      "those that our schedule, which gives the same results from the points of each level, moves between memory "
      "and processor. Times are of this machine, host memory to host memory.",
      {{"working units"},
       {"over the first", Rule::within, 0.1, 3, linear, "text"},
       {"bytes per node, ours"},
       {"over the first", Rule::within, 0.1, 3, linear, "text"},
       {"ms, paper's schedule"},
       {"ms, ours"},
       {"ns per node, ours"}},
      {}};
}

PaperTable cycle_costs(int64_t work_at_largest) {
  constexpr int64_t kFirst = 129;
  PaperTable table = cost_table();
  double first_work = 0, first_bytes = 0;
  for (const int64_t size : {kFirst, int64_t{257}, int64_t{513}, kSize}) {
    const Model model = poisson(size);
    PlainSgml plain(doublings_of(size));
    if (size < kSize) plain.cycle(sources_of(*model));
    const auto work = static_cast<double>(size < kSize ? plain.work() : work_at_largest);
    const double nodes = static_cast<double>(size) * size;
    const SgmlCycles faithful = run_sgml_cycles(model, 2, kPaperCycle), compact = run_sgml_cycles(model, 3, kOurCycle);
    const double bytes = compact.bytes_per_cycle / nodes;
    if (size == kFirst) first_work = work, first_bytes = bytes;
    const char* const same = size == kSize ? "1" : "";
    table.rows.push_back(
        {fmt::format("{0} x {0}", size),
         {{"", work},
          {same, work / first_work, size == kSize ? 1.88 : NAN},
          {"", bytes},
          {same, bytes / first_bytes},
          {"", 1e3 * faithful.seconds_per_cycle},
          {"", 1e3 * compact.seconds_per_cycle},
          {"", 1e9 * compact.seconds_per_cycle / nodes}},
         "on the full mesh every visit of a level passes over all nodes, and Algorithm 1 averages once per level for "
         "each visit, so that operations per node grow with the square of the number of levels"});
  }
  return table;
}

}  // namespace

PaperTable sgml_discretisation_errors(const std::vector<int64_t>& sizes) {
  PaperTable table{"Fig. 3: the L1 error in which cycles end",
                   "The normalised error (9) of discretisation (5) with nine points on problem (7). The paper shows a "
                   "curve that stagnates to it.",
                   {{"L1 error", Rule::as_printed, 0, 4, "as a prototype found it", "prototype"}},
                   {}};
  constexpr int kCycles = 12;
  constexpr double kEnough = 1e-12;
  for (const int64_t size : sizes)
    table.rows.push_back({fmt::format("{0} x {0}", size),
                          {{size == 257     ? "2.54e-5"
                            : size == kSize ? kErrorAt1025
                                            : "",
                            run_sgml_cycles(poisson(size), kCycles, kOurCycle, kEnough).l1_error.back()}}});
  return table;
}

PaperTable sgml_against_plain(int cycles) {
  constexpr int64_t kPoints = 257;
  PaperTable table{
      fmt::format("The engine's paper cycle beside Algorithms 1 to 3 written plainly, {0} x {0}", kPoints),
      "What each cycle adds, from the engine's preset=paper and from Algorithms 1 to 3 on the full mesh, which share "
      "no code: the largest difference over the largest value. Each goes on from its own residuals.",
      {{"difference", Rule::at_most, 0, 2, "rounding of residuals, 4 / h^2 times the last digit of values", "bound"}},
      {}};
  const Model model = poisson(kPoints);
  PlainSgml plain(doublings_of(kPoints));
  Field r = sources_of(*model);
  run_sgml_cycles(model, cycles, kPaperCycle, 0, [&](const std::vector<double>& c) {
    const Field e = plain.cycle(r);
    r = plain.residual(r, e);
    const std::vector<double> expected = inside(e, kPoints);
    double difference = 0;
    for (size_t i = 0; i < c.size(); ++i) difference = std::max(difference, std::abs(c[i] - expected[i]));
    table.rows.push_back({fmt::format("cycle {}", table.rows.size() + 1), {{"6e-11", difference / largest(expected)}}});
  });
  return table;
}

std::vector<PaperTable> sgml_convergence(const PaperOptions& options) {
  options.progress("sgml, Fig. 3");
  int64_t work = 0;
  PaperTable first_cycle = saw(work);
  std::vector<PaperTable> tables{convergence(work), std::move(first_cycle)};
  tables.push_back(readings());
  tables.push_back(sgml_discretisation_errors({257, kSize}));
  constexpr int kCompared = 10;
  tables.push_back(sgml_against_plain(kCompared));
  options.progress("sgml, Fig. 4");
  tables.push_back(cycle_costs(work));
  return tables;
}

}  // namespace gridiron
