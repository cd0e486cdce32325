// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/stokes_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"
#include "reports/pictures/canvas.hpp"
#include "reports/pictures/plot.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

constexpr int kValues = 15;  ///< of each parameter
constexpr double kStep = 0.05, kLeastWeight = 0.5, kLeastScale = 0.8;
constexpr int kMost = 60;  ///< iterations

double weight(int k) { return kLeastWeight + kStep * k; }
double scale(int k) { return kLeastScale + kStep * k; }

int iterations(const PdeSystem& system, const Settings& settings) {
  const auto engine = find_engine("stokes").make(settings);
  engine->setup(system.problem);
  const auto rows = static_cast<int64_t>(system.b.size());
  std::vector<double> x(system.b.size(), 0.0);
  const SolveStats stats = engine->solve({system.b.data(), rows, 1}, {x.data(), rows, 1},
                                         {.relative_residual = 1e-8, .max_iterations = kMost});
  return stats.converged ? stats.iterations : kMost;
}

/// Iterations by t, then ω.
using Table = std::vector<int>;

Table search_schur(const PdeSystem& system, const std::string& sweeps, const std::string& jacobi) {
  Table table;
  for (int t = 0; t < kValues; ++t)
    for (int w = 0; w < kValues; ++w)
      table.push_back(iterations(system, {{"pre", "1"},
                                          {"post", "1"},
                                          {"schur_sweeps", sweeps},
                                          {"schur_jacobi", jacobi},
                                          {"schur_weight", fmt::format("{:.2f}", weight(w))},
                                          {"schur_scale", fmt::format("{:.2f}", scale(t))}}));
  return table;
}

/// Of the pairs with the least iterations, the one whose neighbours need least.
int best_of(const Table& table) {
  const auto at = [&](int t, int w) {
    return t >= 0 && t < kValues && w >= 0 && w < kValues ? table[t * kValues + w] : kMost;
  };
  int best = 0, least = 1 << 30;
  for (int k = 0; k < static_cast<int>(table.size()); ++k) {
    int around = 0;
    for (int dt = -1; dt <= 1; ++dt)
      for (int dw = -1; dw <= 1; ++dw) around += at(k / kValues + dt, k % kValues + dw);
    if (const int cost = 1000 * table[k] + around; cost < least) best = k, least = cost;
  }
  return best;
}

void draw(const Table& table, int64_t n, const std::filesystem::path& file) {
  constexpr int kSquare = 40, kSide = kSquare * kValues;
  const auto [least, most] = std::minmax_element(table.begin(), table.end());
  const double range = std::max(*most - *least, 1);
  std::vector<uint8_t> pixels(static_cast<size_t>(kSide) * kSide);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int count = table[(kValues - 1 - y / kSquare) * kValues + x / kSquare];
      pixels[y * kSide + x] = Canvas::heat(static_cast<int>((count - *least) / range * (kHeatColours - 1)));
    }
  const int best = best_of(table);
  Plot plot;
  plot.title = "Braess-Sarazin relaxation, three sweeps · iterations of V(1,1)";
  plot.remark = fmt::format("stokes2d, {0} x {0}", n);
  plot.facts = fmt::format("least: {} at omega = {:.2f}, t = {:.2f}; {} means that or more", *least,
                           weight(best % kValues), scale(best / kValues), *most);
  plot.x_label = "omega";
  plot.y_label = "t";
  plot.left = weight(0) - kStep / 2;
  plot.top = scale(kValues - 1) + kStep / 2;
  plot.per_pixel = kStep / kSquare;
  plot.width = plot.height = kSide;
  plot.pixels = pixels;
  plot.low = *least;
  plot.high = *most;
  plot.unit = "iterations";
  plot.ring = Plot::Position{weight(best % kValues), scale(best / kValues)};
  write_file(file, plot_png(plot));
}

}  // namespace

void search_stokes_parameters(int64_t n, const std::filesystem::path& out) {
  const PdeSystem system = make_system(find_pde_problem("stokes2d"), {.size = n});
  std::string rows = "relaxation,omega,t,iterations\n";
  fmt::print("## Parameters: iterations of V(1,1), {0} x {0} elements\n\n", n);
  for (const auto& [sweeps, jacobi] : {std::pair{"3", "0.93"}, std::pair{"1", "0.82"}}) {
    const Table table = search_schur(system, sweeps, jacobi);
    const int best = best_of(table);
    fmt::print("Braess-Sarazin with {} sweeps of weight {}: {} at omega = {:.2f}, t = {:.2f}\n", sweeps, jacobi,
               table[best], weight(best % kValues), scale(best / kValues));
    for (int k = 0; k < static_cast<int>(table.size()); ++k)
      rows += fmt::format("braess-sarazin-{},{:.2f},{:.2f},{}\n", sweeps, weight(k % kValues), scale(k / kValues),
                          table[k]);
    if (sweeps == std::string("3")) draw(table, n, out / "parameters.png");
  }
  fmt::print("Vanka:");
  for (int w = 0; w < kValues; ++w) {
    const int count = iterations(
        system,
        {{"relaxation", "vanka"}, {"pre", "1"}, {"post", "1"}, {"vanka_weight", fmt::format("{:.2f}", weight(w))}});
    fmt::print(" {} at {:.2f}{}", count, weight(w), w + 1 < kValues ? "," : "\n\n");
    rows += fmt::format("vanka,{:.2f},,{}\n", weight(w), count);
  }
  write_file(out / "parameters.csv", rows);
}

}  // namespace gridiron
