// SPDX-License-Identifier: Apache-2.0
// Set-up, update and solution of an engine on the GPU, for vectors that lie there:
//   bench_device_solve ENGINE [KEY=VALUE…] CASE… [K…]
// For cases see case.hpp; K right-hand sides at once are 1, 16, 64 and 256 unless given. Times are medians of three
// after a warm-up run; those of the ordering by coordinates, which is part of the set-up of direct engines, are for 1,
// 2, 4, … threads. Guesses are zero. The accuracy is that of one refined solution in host memory.
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/case.hpp"
#include "engines/direct/dissection.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

using namespace gridiron;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

void check(cudaError_t status) {
  if (status != cudaSuccess) throw ResourceError(cudaGetErrorString(status));
}

template <class F>
double median_ms(F f) {
  std::vector<double> times;
  for (int round = 0; round < 4; ++round) {
    const Stopwatch watch;
    f();
    check(cudaDeviceSynchronize());
    times.push_back(1e3 * watch.seconds());
  }
  std::sort(times.begin() + 1, times.end());
  return times[2];
}

void print_ordering(const Problem& problem) {
  const auto places = coordinates_of(problem);
  if (!places) return;
  fmt::print("  ordering, ms (threads):");
  const int most = omp_get_max_threads();
  for (int threads = 1; threads <= most; threads *= 2) {
    omp_set_num_threads(threads);
    fmt::print(" {:.0f} ({})", median_ms([&] { dissect_into_tree(problem.matrix, *places, 10, 0.25); }), threads);
  }
  omp_set_num_threads(most);
  fmt::print("\n");
}

void measure(const EngineInfo& info, const Settings& settings, const std::string& name,
             const std::vector<int64_t>& columns) {
  const Case c(name);
  const Problem& problem = *c.problem;
  const int64_t n = problem.matrix.rows;
  fmt::print("{}: {} unknowns, {} nonzeros\n", name, n, problem.matrix.nonzeros());
  print_ordering(problem);
  if (const auto reason = info.declines(problem)) {
    fmt::print("  {}\n", *reason);
    return;
  }
  const auto engine = info.make_on_cuda(settings);
  auto twin = std::make_shared<Problem>(problem);
  for (double& v : twin->matrix.value) v *= 1.25;
  const double setup = median_ms([&] { engine->setup(c.problem); });
  bool is_twin = false;
  const double update = median_ms([&] { engine->update((is_twin = !is_twin) ? twin : c.problem); });
  engine->setup(c.problem);
  std::vector<double> x(c.b.size(), 0.0);
  const SolveStats stats = engine->solve({c.b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-12});
  fmt::print("  setup {:.1f} ms, update {:.1f} ms, {:.2f} GiB, relative residual {:.1e} after {} steps\n", setup,
             update, static_cast<double>(engine->bytes()) / (1 << 30), stats.relative_residual, stats.iterations);
  for (const int64_t k : columns) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, 2 * n * k * sizeof(double)) != cudaSuccess) {
      cudaGetLastError();
      fmt::print("  k = {}: vectors do not fit\n", k);
      continue;
    }
    auto* const block = static_cast<double*>(memory);
    for (int64_t j = 0; j < k; ++j)
      check(cudaMemcpy(block + j * n, c.b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    const double solve = median_ms([&] {
      check(cudaMemset(block + n * k, 0, n * k * sizeof(double)));
      check(cudaDeviceSynchronize());
      engine->solve({block, n, k, Memory::device}, {block + n * k, n, k, Memory::device},
                    {.relative_residual = 1e-8, .absolute_max = info.devices == "cuda" ? kNever : 0});
    });
    fmt::print("  k = {}: {:.2f} ms, {:.3f} ms each\n", k, solve, solve / static_cast<double>(k));
    cudaFree(memory);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) throw InputError("usage: bench_device_solve ENGINE [KEY=VALUE...] CASE... [K...]");
  const EngineInfo& info = find_engine(argv[1]);
  if (!info.make_on_cuda) throw InputError("this engine does not run on a GPU");
  Settings settings;
  std::vector<std::string> cases;
  std::vector<int64_t> columns;
  for (int a = 2; a < argc; ++a) {
    const std::string word = argv[a];
    if (const size_t equals = word.find('='); equals != std::string::npos)
      settings[word.substr(0, equals)] = word.substr(equals + 1);
    else if (std::ranges::all_of(word, [](unsigned char ch) { return std::isdigit(ch) != 0; }))
      columns.push_back(std::stoll(word));
    else
      cases.push_back(word);
  }
  if (columns.empty()) columns = {1, 16, 64, 256};
  for (const std::string& name : cases) measure(info, settings, name, columns);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
