// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/cholmod_engine.hpp"

#include <cholmod.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engines/cholmod/supernodal.hpp"
#include "engines/cholmod/supernodal_solve.hpp"
#include "engines/cholmod/symbolic.hpp"
#include "engines/cholmod/triangle.hpp"
#include "engines/direct/dissection.hpp"
#include "engines/direct/low_rank_update.hpp"
#include "engines/direct/refinement.hpp"
#include "engines/direct_engine.hpp"
#include "engines/row_sums.hpp"
#include "linalg/one_thread.hpp"
#include "support/bytes_of.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Right-hand sides that CHOLMOD solves for at once: few enough to keep the workspace small.
constexpr int64_t kColumnsAtOnce = 16;

/// Multiplications per nonzero of the factor above which dense blocks pay: both variants take the same time on grids of
/// 5000 to 30 000 unknowns with 40 to 50.
constexpr double kSupernodalSwitch = 40;

/// Unknowns from which `auto` orders by coordinates, where there are any. Below, AMD takes some milliseconds less;
/// above, the ordering, factorization and solution by coordinates took 0.36 to 1.1 times as long as those by AMD
/// (benchmarks/results/epyc-2cores.md).
constexpr int64_t kGeometricFrom = 20'000;

/// `auto` leaves all unknowns to AMD where cuts between coordinates leave a part with more than this share of them.
constexpr double kLargestUndivided = 0.25;

/// What one thread needs to solve with a factor that it shares with others.
struct Workspace {
  cholmod_common common;
  cholmod_dense *y = nullptr, *e = nullptr;

  Workspace() {
    cholmod_l_start(&common);
    common.print = 0;
  }
  ~Workspace() {
    for (cholmod_dense** block : {&y, &e}) cholmod_l_free_dense(block, &common);
    cholmod_l_finish(&common);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  static cholmod_dense view_of(Block<const double> block, double* data) {
    cholmod_dense view{};
    view.nrow = view.d = block.rows;
    view.ncol = block.columns;
    view.nzmax = view.nrow * view.ncol;
    view.x = data;
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    return view;
  }

  void solve(cholmod_factor* factor, Block<const double> b, Block<double> out) {
    const OneThread one_thread;
    cholmod_dense rhs = view_of(b, const_cast<double*>(b.data)), solution = view_of(out, out.data);
    cholmod_dense* x = &solution;  // of the right shape, so CHOLMOD does not replace it
    cholmod_l_solve2(CHOLMOD_A, factor, &rhs, nullptr, &x, nullptr, &y, &e, &common);
  }
};

class CholmodEngine : public DirectEngine {
 public:
  explicit CholmodEngine(CholmodParams params) : params_(std::move(params)) {
    require_choice("cholmod", "ordering", params_.ordering, {"auto", "geometric", "amd", "metis", "best"});
    require_choice("cholmod", "factorization", params_.factorization, {"auto", "simplicial", "supernodal"});
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.quick_return_if_not_posdef = 1;
    common_.supernodal_switch = kSupernodalSwitch;
    common_.supernodal = params_.factorization == "simplicial"   ? CHOLMOD_SIMPLICIAL
                         : params_.factorization == "supernodal" ? CHOLMOD_SUPERNODAL
                                                                 : CHOLMOD_AUTO;
  }

  ~CholmodEngine() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }

  void do_setup(const Problem& problem) override {
    analyze(problem);
    factorize(problem);
  }

  void do_update(const Problem& problem) override {
    low_rank_.reset();
    if (row_sums_.empty())
      low_rank_ = LowRankUpdate::find(factored_->matrix, problem.matrix,
                                      [this](Block<const double> b, Block<double> x) { apply_factor(b, x); });
    if (!low_rank_) factorize(problem);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    return solve_and_refine(
        this->problem().matrix, b, x, stop,
        [this](Block<const double> rhs, Block<double> out) { apply_inverse(rhs, out); }, residual_, row_sums_);
  }

  int64_t bytes() const override {
    size_t total = common_.memory_inuse;
    for (const auto& work : workspaces_) total += work->common.memory_inuse;
    total += row_sums_.size() * sizeof(double);
    return static_cast<int64_t>(total) + bytes_of(tree_, solve_, low_rank_);
  }
  ParamList parameters() const override {
    CholmodParams in_force = params_;
    in_force.ordering = ordering_;
    return list_params(in_force);
  }

 private:
  /// Orders the unknowns and finds the pattern of the factor.
  void analyze(const Problem& problem) {
    tree_.reset();
    cholmod_l_free_factor(&factor_, &common_);
    const std::string& asked = params_.ordering;
    std::optional<Coordinates> places;
    if (asked == "geometric" || asked == "best" || (asked == "auto" && problem.matrix.rows >= kGeometricFrom))
      places = coordinates_of(problem);
    if (asked == "geometric" && !places && problem.matrix.rows > 0)
      throw InputError(
          "cholmod: ordering=geometric needs coordinates of at least half of the unknowns; amd and metis need none");
    std::optional<Dissected> dissected;
    if (places) dissected = dissect_well(problem.matrix, *places, asked == "auto" ? kLargestUndivided : 1);
    places.reset();
    if (asked == "geometric" && !dissected) dissected.emplace();  // of no unknowns
    ordering_ = asked != "auto" ? asked : dissected ? "geometric" : "amd";
    factor_ = ordering_ == "geometric"
                  ? analyze_dissected(problem.matrix, *dissected, common_)
                  : analyze_by_cholmod(problem.matrix, dissected ? dissected->order : std::vector<int32_t>());
    check_status("ordering");
    if (factor_->is_super) tree_.emplace(*factor_);
  }

  /// By the orderings that are asked for, of which `given` may be one.
  cholmod_factor* analyze_by_cholmod(const CsrMatrix& a, const std::vector<int32_t>& given) {
    Triangle triangle(a);
    cholmod_sparse view = triangle.view();
    std::vector<SuiteSparse_long> order(given.begin(), given.end());
    common_.nmethods = 0;
    const auto compare = [this](int ordering) { common_.method[common_.nmethods++].ordering = ordering; };
    if (!order.empty()) compare(CHOLMOD_GIVEN);
    if (ordering_ != "metis") compare(CHOLMOD_AMD);
    if (ordering_ != "amd") compare(CHOLMOD_METIS);
    return cholmod_l_analyze_p(&view, order.data(), nullptr, 0, &common_);
  }

  /// Anew by sums where differences leave pivots without digits, as of parts that are tied very weakly.
  void factorize(const Problem& problem) {
    low_rank_.reset();
    row_sums_.clear();
    factored_ = incoming();
    const Pivots pivots = factor_->is_super ? factorize_supernodal(problem.matrix, *tree_, *factor_, common_)
                                            : factorize_simplicial(problem.matrix);
    if (common_.status != CHOLMOD_NOT_POSDEF) check_status("factorization");
    if (pivots == Pivots::good || factorize_by_sums(problem)) return;
    if (pivots == Pivots::missing) throw_not_positive_definite(factor_->minor);
  }

  Pivots factorize_simplicial(const CsrMatrix& a) {
    Triangle triangle(a);
    cholmod_sparse view = triangle.view();
    cholmod_l_factorize(&view, factor_, &common_);
    return common_.status < 0 || common_.status == CHOLMOD_NOT_POSDEF ? Pivots::missing : checked_pivots(a);
  }

  /// False for matrices that are no M-matrices; the factor is then as it was.
  bool factorize_by_sums(const Problem& problem) {
    row_sums_ = row_sums_of(problem);
    if (row_sums_.empty()) return false;
    if (!factor_->is_super) {
      const int kind = std::exchange(common_.supernodal, CHOLMOD_SUPERNODAL);
      analyze(problem);
      common_.supernodal = kind;
    }
    if (factorize_supernodal(problem.matrix, *tree_, *factor_, common_, row_sums_) == Pivots::good) return true;
    if (common_.status == CHOLMOD_NOT_POSDEF) throw_not_positive_definite(factor_->minor);
    check_status("factorization");
    return false;
  }

  SuiteSparse_long unknown_of(size_t column) const {
    return static_cast<const SuiteSparse_long*>(factor_->Perm)[column];
  }

  /// A simplicial factor is L D Lᵀ with D stored in place of L's unit diagonal.
  Pivots checked_pivots(const CsrMatrix& a) {
    const auto* const start = static_cast<const SuiteSparse_long*>(factor_->p);
    const auto* const value = static_cast<const double*>(factor_->x);
    Pivots pivots = Pivots::good;
    for (size_t column = 0; column < factor_->n; ++column) {
      const auto row = unknown_of(column);
      const auto first = a.col.begin() + a.row_ptr[row], last = a.col.begin() + a.row_ptr[row + 1];
      const auto entry = std::lower_bound(first, last, row);
      const double diagonal = entry != last && *entry == row ? a.value[entry - a.col.begin()] : 0.0;
      const double pivot = value[start[column]];
      if (!(pivot > kDoubtfulPivot * diagonal)) pivots = Pivots::doubtful;
      if (pivot > kNegligiblePivot * diagonal) continue;
      factor_->minor = column;
      return Pivots::missing;
    }
    return pivots;
  }

  [[noreturn]] void throw_not_positive_definite(size_t column) const {
    throw solver_error(
        "cholmod: the matrix is not positive definite: no usable pivot for unknown {}; "
        "is part of the system not tied to any fixed value, or are its values 15 decades apart?",
        unknown_of(column));
  }

  void check_status(const char* step) const { check_status(step, common_); }
  static void check_status(const char* step, const cholmod_common& common) {
    if (common.status >= 0) return;
    if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE) {
      throw resource_error("cholmod: the {} does not fit into memory ({} MiB held so far); try an iterative engine",
                           step, common.memory_inuse >> 20);
    }
    throw solver_error("cholmod: {} failed with status {}", step, common.status);
  }

  /// With a simplicial factor, columns are divided the same way for any number of threads.
  void apply_factor(Block<const double> b, Block<double> x) {
    if (tree_) return solve_.run(*tree_, static_cast<const double*>(factor_->x), b, x);
    const int64_t chunks = (b.columns + kColumnsAtOnce - 1) / kColumnsAtOnce;
    while (static_cast<int>(workspaces_.size()) < omp_get_max_threads())
      workspaces_.push_back(std::make_unique<Workspace>());
    const ScratchIndex own;
    parallel_tasks(chunks, [&](int64_t chunk) {
      const int64_t first = chunk * kColumnsAtOnce, count = std::min(kColumnsAtOnce, b.columns - first);
      Workspace& work = *workspaces_[own()];
      work.solve(factor_, b.part(first, count), x.part(first, count));
      check_status("solution", work.common);
    });
  }

  void apply_inverse(Block<const double> b, Block<double> x) {
    apply_factor(b, x);
    if (low_rank_) low_rank_->apply(x);
  }

  CholmodParams params_;
  std::string ordering_ = params_.ordering;  ///< the one in force
  std::vector<double> residual_;
  std::vector<double> row_sums_;  ///< of the matrix, where it was factored by sums
  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
  std::shared_ptr<const Problem> factored_;             ///< the problem that factor_ is of
  std::optional<SupernodalTree> tree_;                  ///< of factor_, if it is supernodal
  SupernodalSolve solve_;                               ///< with tree_
  std::optional<LowRankUpdate> low_rank_;               ///< from there to the present one
  std::vector<std::unique_ptr<Workspace>> workspaces_;  ///< one per thread, kept between solves
};

}  // namespace

std::optional<std::string> cholmod_declines(const Problem& problem) {
  if (problem.symmetric_positive_definite) return std::nullopt;
  return "needs a symmetric positive definite matrix";
}

std::unique_ptr<Engine> make_cholmod(const Settings& settings) {
  return std::make_unique<CholmodEngine>(read_params<CholmodParams>("cholmod", settings));
}

ParamList cholmod_defaults() { return list_params(CholmodParams{}); }

}  // namespace gridiron
