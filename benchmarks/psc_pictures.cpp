// SPDX-License-Identifier: Apache-2.0
// Pictures of psc, written into a folder:
//   bench_psc_pictures OUT [SPEED]
//   errors.png       |u_h − u| in fp64, fp32 and fp16 side by side, poisson2d-q1, h = 1/256, h0 = 1/16
//   prehandling.png  L2 error against h for an oscillating solution, with and without prehandling in fp16, as in Fig. 8
//   pattern.png      entries of A in the basis of psc with its blocks, h = 1/32, h0 = 1/4
//   speed.png        from SPEED, what bench_psc_speed printed: MDof/s against right-hand sides, TFLOP/s against h
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/pde/finite_elements.hpp"
#include "analysis/pde/problems.hpp"
#include "engines/engine.hpp"
#include "engines/psc/prehandled.hpp"
#include "engines/psc/short_floats.hpp"
#include "reports/pictures/canvas.hpp"
#include "reports/pictures/chart.hpp"
#include "reports/pictures/plot.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

using namespace gridiron;

namespace {

FemModel model_of(int64_t size, double wavenumber) {
  PdeChoices choices;
  choices.size = size;
  choices.wavenumber = wavenumber;
  return make_fem_model(find_pde_problem("poisson2d-q1"), choices);
}

Problem problem_of(const FemModel& model) {
  Problem problem;
  problem.matrix = assemble(*model.mesh);
  problem.structure = model.mesh;
  return problem;
}

std::vector<double> solve(const char* engine_name, const Settings& settings, Problem problem,
                          const std::vector<double>& b) {
  const auto shared = std::make_shared<const Problem>(std::move(problem));
  const auto engine = find_engine(engine_name).make(settings);
  engine->setup(shared);
  std::vector<double> x(b.size(), 0.0);
  const auto n = static_cast<int64_t>(b.size());
  engine->solve({b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-12});
  return x;
}

std::vector<double> by_psc(const FemModel& model, const char* precision, const std::string& h0) {
  return solve("psc", {{"precision", precision}, {"h0", h0}, {"refine", "no"}, {"condition", "no"}}, problem_of(model),
               right_hand_side(model));
}

/// Colours of log10(value) from `low` to `high`, rows from the top.
uint8_t colour_of(double value, double low, double high) {
  if (!(value > 0)) return Canvas::kPlotBackground;
  const double share = std::log10(value / low) / std::log10(high / low);
  return Canvas::heat(std::clamp(static_cast<int>(share * kHeatColours), 0, kHeatColours - 1));
}

void draw_errors(const std::filesystem::path& out) {
  constexpr int64_t kSize = 256, kGap = 12;
  constexpr double kLow = 1e-8, kHigh = 1e-4;
  const FemModel model = model_of(kSize, 1);
  std::vector<Slice> errors;
  std::string facts = "relative L2 error";
  for (const char* precision : {"double", "single", "half"}) {
    const std::vector<double> x = by_psc(model, precision, "1/16");
    errors.push_back(rasterise(model, x).error);
    facts += fmt::format("  {} {:.3e}", precision, error_against_exact(model, x).l2);
  }
  const int64_t side = errors.front().columns, width = 3 * side + 2 * kGap;
  std::vector<uint8_t> pixels(static_cast<size_t>(width * side), Canvas::white());
  for (int64_t picture = 0; picture < 3; ++picture)
    for (int64_t row = 0; row < side; ++row)
      for (int64_t column = 0; column < side; ++column)
        pixels[row * width + picture * (side + kGap) + column] =
            colour_of(std::max(errors[picture].at(column, side - 1 - row), kLow), kLow, kHigh);
  Plot plot;
  plot.title = "psc · error in fp64, fp32 and fp16";
  plot.remark = "poisson2d-q1, h = 1/256, h0 = 1/16, no refinement";
  plot.facts = facts;
  plot.x_label = "x, three times 0 to 1";
  plot.y_label = "y";
  plot.top = 1;
  plot.per_pixel = 1.0 / static_cast<double>(side - 1);
  plot.width = static_cast<int>(width);
  plot.height = static_cast<int>(side);
  plot.pixels = pixels;
  plot.low = kLow;
  plot.high = kHigh;
  plot.is_logarithmic = true;
  plot.unit = "|error|";
  write_file(out / "errors.png", plot_png(plot));
}

/// The system in the nodal basis, scaled to a unit diagonal, by a Cholesky factorization of its band in fp16: every
/// entry of the factor and of the vectors is rounded, sums are fp32.
std::vector<double> by_nodal_half(const FemModel& model) {
  const auto half = [](float x) { return static_cast<float>(psc::Half(x)); };
  const CsrMatrix a = assemble(*model.mesh);
  int64_t band = 0;
  std::vector<float> scale;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      band = std::max<int64_t>(band, i - a.col[e]);
      if (a.col[e] == i) scale.push_back(static_cast<float>(1 / std::sqrt(a.value[e])));
    }
  // Row i of L from column i − band on, at i (band + 1).
  std::vector<float> l(static_cast<size_t>(a.rows * (band + 1)), 0.0f);
  const auto row = [&](int64_t i) { return l.data() + i * (band + 1) + band - i; };
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      if (a.col[e] <= i) row(i)[a.col[e]] = half(static_cast<float>(a.value[e]) * scale[i] * scale[a.col[e]]);
  for (int64_t i = 0; i < a.rows; ++i) {
    const int64_t first = std::max<int64_t>(0, i - band);
    for (int64_t j = first; j <= i; ++j) {
      float sum = row(i)[j];
      for (int64_t k = first; k < j; ++k) sum -= row(i)[k] * row(j)[k];
      row(i)[j] = half(j < i ? sum / row(j)[j] : std::sqrt(sum));
    }
  }
  const std::vector<double> b = right_hand_side(model);
  double largest = 0;
  for (const double v : b) largest = std::max(largest, std::abs(v));
  std::vector<float> x;
  for (int64_t i = 0; i < a.rows; ++i) {
    float sum = static_cast<float>(b[i] / largest) * scale[i];
    for (int64_t k = std::max<int64_t>(0, i - band); k < i; ++k) sum -= row(i)[k] * x[k];
    x.push_back(half(sum / row(i)[i]));
  }
  for (int64_t i = a.rows - 1; i >= 0; --i) {
    float sum = x[i];
    for (int64_t k = i + 1; k <= std::min(a.rows - 1, i + band); ++k) sum -= row(k)[i] * x[k];
    x[i] = half(sum / row(i)[i]);
  }
  std::vector<double> solution;
  for (int64_t i = 0; i < a.rows; ++i) solution.push_back(static_cast<double>(x[i] * scale[i]) * largest);
  return solution;
}

void draw_prehandling(const std::filesystem::path& out) {
  constexpr double kWavenumber = 7;
  constexpr int kLastNodal = 8;  // a band Cholesky takes minutes beyond
  Panel panel{"refinements, h = 2^-n", "relative L2 error", false, true, {}};
  Panel::Series exact{"fp64", {}, {}}, prehandled{"fp16 with prehandling", {}, {}}, nodal{"fp16, nodal basis", {}, {}};
  for (int level = 4; level <= 9; ++level) {
    const FemModel model = model_of(int64_t{1} << level, kWavenumber);
    const std::string h0 = fmt::format("1/{}", 1 << std::max((level - 1) / 2 - 1, 1));
    const auto error = [&](const std::vector<double>& x) { return error_against_exact(model, x).l2; };
    exact.x.push_back(level);
    exact.y.push_back(error(by_psc(model, "double", h0)));
    prehandled.x.push_back(level);
    prehandled.y.push_back(error(by_psc(model, "half", h0)));
    if (level <= kLastNodal) {
      nodal.x.push_back(level);
      nodal.y.push_back(error(by_nodal_half(model)));
    }
    fmt::print("level {} h0 {}: fp64 {:.3e}, fp16 with prehandling {:.3e}, nodal basis {:.3e}\n", level, h0,
               exact.y.back(), prehandled.y.back(), level <= kLastNodal ? nodal.y.back() : NAN);
  }
  panel.series = {exact, prehandled, nodal};
  write_file(out / "prehandling.png", chart_png({"psc · prehandling in fp16",
                                                 fmt::format("sin {0}πx sin {0}πy, Q1", kWavenumber),
                                                 "nodal basis: band Cholesky, all numbers in fp16, sums in fp32",
                                                 {panel}}));
}

/// log10 of the entries of [I B 0; Bᵀ E D; 0 Dᵀ C].
void draw_pattern(const std::filesystem::path& out) {
  constexpr int kLevels = 5, kLevel = 2;
  constexpr double kLow = 1e-4, kHigh = 1;
  const RefinedMesh mesh(unit_square_mesh(4, 1), kLevels);
  const psc::Prehandled p = psc::prehandle(mesh, kLevel, false);
  const psc::CellLattice& lattice = p.cells.lattice;
  const psc::CellMatrices cell = psc::cell_matrices(lattice, p.cells.groups.front().shape);
  const psc::CondensedCell& group = p.groups.front();
  const int64_t ni = lattice.interior(), ne = lattice.edge(), nc = p.cells.coarse(), all = p.cells.edge(),
                n = mesh.unknowns();
  std::vector<double> a(static_cast<size_t>(n * n), 0.0);
  const auto add = [&](int64_t row, int64_t column, double value, bool is_symmetric) {
    a[column * n + row] += value;
    if (is_symmetric) a[row * n + column] += value;
  };
  for (int64_t i = 0; i < nc; ++i) add(i, i, 1, false);
  for (int64_t e = 0; e < all; ++e)
    for (int32_t k = p.edge_coarse.begin[e]; k < p.edge_coarse.begin[e + 1]; ++k)
      for (int64_t i = 0; i < nc; ++i)
        add(i, nc + e, p.coarse_inverse[p.edge_coarse.column[k] * nc + i] * p.edge_coarse.value[k], true);
  for (int64_t c = 0; c < p.cells.cells; ++c) {
    const auto edge_of = [&](int64_t e) { return p.cells.edge_of_cell[c * ne + e]; };
    const auto scale_of = [&](int64_t e) { return p.edge_ratio[c * ne + e] * group.edge_scale[e]; };
    const int64_t inside = nc + all + c * ni;
    for (int64_t q = 0; q < ni; ++q)
      for (int64_t r = 0; r < ni; ++r)
        add(inside + r, inside + q, cell.ii[q * ni + r] * group.interior_scale[q] * group.interior_scale[r], false);
    for (int64_t q = 0; q < ne; ++q) {
      if (edge_of(q) < 0) continue;
      for (int64_t r = 0; r < ne; ++r)
        if (edge_of(r) >= 0)
          add(nc + edge_of(r), nc + edge_of(q), cell.ee[q * ne + r] * scale_of(q) * scale_of(r), false);
      for (int64_t r = 0; r < ni; ++r)
        add(inside + r, nc + edge_of(q), cell.ie[q * ni + r] * group.interior_scale[r] * scale_of(q), true);
    }
  }
  std::vector<uint8_t> pixels;
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < n; ++column) {
      const double value = std::abs(a[column * n + row]);
      pixels.push_back(value > 1e-12 ? colour_of(std::max(value, kLow), kLow, kHigh) : Canvas::white());
    }
  Plot plot;
  plot.title = "psc · the matrix it works with";
  plot.remark = "Q1, h = 1/32, h0 = 1/4";
  plot.facts = fmt::format("{} corners (factored: an identity), {} unknowns on edges, {} inside {} equal cells", nc,
                           all, p.cells.interior(), p.cells.cells);
  plot.x_label = "column";
  plot.y_label = "-row";
  plot.width = plot.height = static_cast<int>(n);
  plot.pixels = pixels;
  plot.low = kLow;
  plot.high = kHigh;
  plot.is_logarithmic = true;
  plot.unit = "|entry|";
  plot.top = 0;
  const double borders[] = {static_cast<double>(nc), static_cast<double>(nc + all)};
  for (const double at : borders) {
    plot.lines.push_back({{at, 0}, {at, -static_cast<double>(n)}});
    plot.lines.push_back({{0, -at}, {static_cast<double>(n), -at}});
  }
  write_file(out / "pattern.png", plot_png(plot));
}

/// Rows "1/h h0 precision k ms TFLOP/s ...".
void draw_speed(const std::filesystem::path& table, const std::filesystem::path& out) {
  std::ifstream in(table);
  if (!in) throw InputError(fmt::format("cannot read {}", table.string()));
  std::map<std::string, Panel::Series> against_k, against_h;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    double size = 0, k = 0, ms = 0, tflops = 0, mdofs = 0;
    std::string h0, precision, share;
    if (!(words >> size >> h0 >> precision >> k >> ms >> tflops >> share >> mdofs)) continue;
    if (size == 1024) {
      Panel::Series& series = against_k[precision];
      series.name = precision;
      series.x.push_back(k);
      series.y.push_back(mdofs);
    }
    if (k == 4096) {
      Panel::Series& series = against_h[precision];
      series.name = precision;
      series.x.push_back(size);
      series.y.push_back(tflops);
    }
  }
  Panel left{"right-hand sides, h = 1/1024", "MDof/s", true, true, {}},
      right{"1/h, 4096 right-hand sides", "TFLOP/s", true, true, {}};
  for (auto& [name, series] : against_k) left.series.push_back(series);
  for (auto& [name, series] : against_h) right.series.push_back(series);
  write_file(
      out / "speed.png",
      chart_png({"psc · speed", "poisson2d-q1, h0 = 1/16, (M1) without refinement", "one NVIDIA H200", {left, right}}));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: {} OUT [SPEED]\n", argv[0]);
    return 2;
  }
  const std::filesystem::path out = argv[1];
  make_directory(out);
  if (argc == 3) draw_speed(argv[2], out);
  draw_pattern(out);
  draw_errors(out);
  draw_prehandling(out);
} catch (const Error& error) {
  fmt::print(stderr, "bench_psc_pictures: {}\n", error.what());
  return static_cast<int>(error.code());
}
