// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/stokes_kernel_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "analysis/papers/stokes_counts.hpp"

namespace gridiron {
namespace {

/// A row of Table 1, evaluated: values and operations.
struct Work {
  double reads = 0, writes = 0, flops = 0;

  double intensity() const { return flops / (sizeof(double) * (reads + writes)); }
  Work operator+(const Work& other) const { return {reads + other.reads, writes + other.writes, flops + other.flops}; }
};

/// Table 1 for n × n elements, with its ℓ = n − 1, n velocity and m pressure unknowns. The paper gives the kernel that
/// updates the solution 51 ℓ where the other kernels of the patches have 51 ℓ²; we take it for a misprint.
class Table1 {
 public:
  explicit Table1(int64_t elements) {
    const double n = elements;
    velocities_ = 2 * (2 * n + 1) * (2 * n + 1);
    pressures_ = (n + 1) * (n + 1);
    l_ = n - 1;
  }

  Work array_plus_array() const { return {2 * unknowns(), unknowns(), unknowns()}; }
  Work array_times_scalar() const { return {unknowns(), unknowns(), unknowns()}; }
  Work q2_by_q2() const { return product(velocities_, velocities_); }
  Work q2q1_by_q2() const { return product(pressures_, velocities_); }
  Work q2q1_by_q1() const { return product(velocities_, pressures_); }
  Work jacobi() const { return {2 * pressures_, pressures_, 2 * pressures_}; }
  Work form_patches() const { return {patches(), patches(), 0}; }
  Work apply_inverses() const {
    return {1520 + 3968 * l_ + 2652 * l_ * l_, patches(), 2888 + 7688 * l_ + 5202 * l_ * l_};
  }
  Work update_solution() const { return {patches(), patches(), patches()}; }

  double velocities() const { return velocities_; }
  double pressures() const { return pressures_; }

 private:
  double unknowns() const { return 2 * velocities_ + pressures_; }  // as the paper writes it
  double patches() const { return 76 + 124 * l_ + 51 * l_ * l_; }
  static Work product(double rows, double columns) { return {rows * columns + columns, rows, rows * columns}; }

  double velocities_ = 0, pressures_ = 0, l_ = 0;
};

const KernelCount& count_of(const std::vector<KernelCount>& counts, std::string_view name) {
  const auto found = std::ranges::find(counts, name, &KernelCount::name);
  if (found == counts.end()) throw std::logic_error("no kernel of this name is counted");
  return *found;
}

constexpr int64_t kCounted = 64;

PaperTable work(const std::vector<KernelCount>& counts) {
  const Table1 theory(kCounted);
  PaperTable table{
      fmt::format("Table 1: what kernels read, write and compute, {0} x {0} elements", kCounted),
      "The paper's formulas for this size beside what kernels of ours do: distinct values that they touch, and "
      "operations of a number type that counts them. Ours do in one what are several kernels in the paper, whose "
      "formulas are added, and form matrices as they go, while the paper counts products with full matrices. As its "
      "caption says, n are the velocities of both components; its vectors of 2 n + m values count them twice.",
      {{"reads", Rule::shown, 0, 5}, {"writes", Rule::shown, 0, 5}, {"operations", Rule::shown, 0, 5}},
      {}};
  const auto add = [&](const char* title, const char* kernel, const Work& paper) {
    const KernelCount& ours = count_of(counts, kernel);
    const auto text = [](double value) { return fmt::format("{:.5g}", value); };
    table.rows.push_back(
        {title, {{text(paper.reads), ours.reads}, {text(paper.writes), ours.writes}, {text(paper.flops), ours.flops}}});
  };
  add("residual: all products and a difference", "residual",
      theory.q2_by_q2() + theory.q2q1_by_q2() + theory.q2q1_by_q1() + theory.array_plus_array());
  add("Vanka: form and solve patches", "Vanka: apply inverses", theory.form_patches() + theory.apply_inverses());
  add("Vanka: update solution", "Vanka: update solution", theory.update_solution());
  return table;
}

/// What a further patch inside the grid adds: the coefficient of the square in counts that are polynomials of the
/// number of elements.
PaperTable inner_patch() {
  constexpr int64_t kFirst = 12;
  std::vector<KernelCount> counts[3];
  for (int k = 0; k < 3; ++k) counts[k] = count_stokes_kernels(kFirst + k);
  const auto of_patch = [&](const char* kernel, double KernelCount::*number) {
    const auto at = [&](int k) { return count_of(counts[k], kernel).*number; };
    return (at(0) - 2 * at(1) + at(2)) / 2;
  };
  constexpr const char *kApply = "Vanka: apply inverses", *kUpdate = "Vanka: update solution";
  constexpr double kOfNode = 9, kAtBoundary = 12;
  return {"Table 1: what Vanka relaxation does for a patch inside",
          "The factors of l^2 in the paper's formulas, l^2 the number of patches inside, beside what one more such "
          "patch adds to the counts of our kernels, found from grids of 12 x 12 to 14 x 14 elements. The paper's "
          "update does not count the 9 values of a node that it reads to change them, nor what keeps values at the "
          "boundary, in our kernel 8 products with flags and 4 that form these: both are taken off. It is printed with "
          "51 l without the square, which is taken for a misprint here and in the tables below.",
          {{"of a patch", Rule::as_printed, 0, 5, "a patch has 51 unknowns, and its inverse is a full matrix"}},
          {{"apply inverse: operations", {{"5202", of_patch(kApply, &KernelCount::flops)}}},
           {"apply inverse: corrections written", {{"51", of_patch(kApply, &KernelCount::writes)}}},
           {"update solution: reads but for 9", {{"51", of_patch(kUpdate, &KernelCount::reads) - kOfNode}}},
           {"update solution: operations but for 12", {{"51", of_patch(kUpdate, &KernelCount::flops) - kAtBoundary}}}}};
}

/// Values that a kernel cannot do without moving: each of its vectors once, and each entry of 25 inverses or of 25 rows
/// of the Schur complement.
double least_values(std::string_view kernel) {
  const Table1 theory(kCounted);
  constexpr double kNodes = (kCounted + 1.0) * (kCounted + 1.0), kPatch = 51, kMatrices = 25, kSchurRow = 25;
  const double unknowns = theory.velocities() + theory.pressures();
  if (kernel == "residual") return 3 * unknowns;
  if (kernel == "Schur Jacobi sweep") return 3 * kNodes + kMatrices * kSchurRow;
  if (kernel == "Vanka: apply inverses") return unknowns + kMatrices * kPatch * kPatch + kPatch * kNodes;
  return kPatch * kNodes + 2 * unknowns;
}

PaperTable intensity(const std::vector<KernelCount>& counts) {
  constexpr int64_t kPaperSize = 512;
  const Table1 theory(kPaperSize);
  PaperTable table{
      fmt::format("Table 2: operations per byte in double precision, {0} x {0} elements", kPaperSize),
      fmt::format(
          "The formulas of Table 1, evaluated by us, and our kernels as counted on {0} x {0} elements. Our "
          "residual forms all three products and stands in the row of the first; sums and multiples of vectors "
          "are parts of other kernels. 'The measured arithmetic intensities are indeed better than the theoretical "
          "values', which ours exceed too far for a verdict: judged is how near they come to what no kernel can "
          "exceed. The paper's rates are 235.7 GB/s times its intensities, but for Jacobi.",
          kCounted),
      {{"of the formulas"},
       {"of our kernel"},
       {"over the highest", Rule::within, 0.1, 3,
        "the highest is that of moving each value once, but for rims of arrays", "bound"},
       {"Gflop/s, 235.7 GB/s"}},
      {}};
  const double bandwidth = 235.7;  // GB/s
  const auto add = [&](const char* title, const Work& work, const char* printed, const char* rate,
                       const char* kernel = nullptr) {
    PaperRow row{title, {{printed, work.intensity()}, {}, {}, {rate, bandwidth * work.intensity()}}};
    if (kernel) {
      const KernelCount& ours = count_of(counts, kernel);
      row.cells[1] = {printed, Work{ours.reads, ours.writes, ours.flops}.intensity()};
      row.cells[2] = {"1", least_values(kernel) / ours.values()};
    }
    table.rows.push_back(std::move(row));
  };
  add("array plus/minus array", theory.array_plus_array(), "0.0417", "9.821");
  add("array times scalar", theory.array_times_scalar(), "0.0625", "14.731");
  add("Q2 matrix * Q2 vector", theory.q2_by_q2(), "0.125", "29.462", "residual");
  add("Q2Q1 matrix * Q2 vector", theory.q2q1_by_q2(), "0.125", "29.462");
  add("Q2Q1 matrix * Q1 vector", theory.q2q1_by_q1(), "0.125", "29.462");
  add("Braess-Sarazin: Jacobi", theory.jacobi(), "0.0833", "16.367", "Schur Jacobi sweep");
  add("Vanka: form patches", theory.form_patches(), "0.0", "0.0");
  add("Vanka: apply matrix", theory.apply_inverses(), "0.241", "56.697", "Vanka: apply inverses");
  add("Vanka: update solution", theory.update_solution(), "0.0625", "14.731", "Vanka: update solution");
  return table;
}

PaperTable patches() {
  constexpr int64_t kSize = 16;
  const std::vector<int64_t> counts = patches_per_inverse(kSize);
  const auto with = [&](auto has) { return static_cast<double>(std::ranges::count_if(counts, has)); };
  constexpr int64_t kLine = kSize - 3;  // patches two or more from both ends
  return {
      fmt::format("Fig. 7: patches of Vanka relaxation with the same matrix, {0} x {0} elements", kSize),
      "Different inverses among those of all patches, each formed by itself; 'there are 25 different patch matrices … "
      "independent of the number of elements': 16 unique ones, 8 one-dimensional regions and the interior.",
      {{"matrices", Rule::as_printed, 0, 4, "as they are counted"}},
      {{"different", {{"25", static_cast<double>(counts.size())}}},
       {"of one patch", {{"16", with([](int64_t patches) { return patches == 1; })}}},
       {"of a line of patches", {{"8", with([](int64_t patches) { return patches == kLine; })}}},
       {"of the interior", {{"1", with([](int64_t patches) { return patches == kLine * kLine; })}}}}};
}

}  // namespace

std::vector<PaperTable> stokes_kernel_tables() {
  const std::vector<KernelCount> counts = count_stokes_kernels(kCounted);
  return {work(counts), inner_patch(), intensity(counts), patches()};
}

}  // namespace gridiron
