// SPDX-License-Identifier: Apache-2.0
// An external program: solves two 1 Ω resistors in series fed with 1 A at the far end, v₁ = 1 V, v₂ = 2 V.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "reports/report.hpp"

int main() {
  gridiron::Problem problem;
  problem.matrix = {.rows = 2, .row_ptr = {0, 2, 4}, .col = {0, 1, 0, 1}, .value = {2, -1, -1, 1}};
  const std::vector<double> current{0, 1};
  std::vector<double> voltage(2);

  bool right = !gridiron::engines().empty();
  for (const gridiron::EngineInfo& info : gridiron::engines()) {
    if (info.declines(problem)) continue;
    voltage = {0, 0};
    const auto engine = info.make({});
    engine->setup(problem);
    engine->solve({current.data(), 2}, {voltage.data(), 2}, {});
    right = right && std::abs(voltage[0] - 1) < 1e-12 && std::abs(voltage[1] - 2) < 1e-12;
    std::printf("%s: %.15g V, %.15g V\n", std::string(info.name).c_str(), voltage[0], voltage[1]);
  }
  return right ? 0 : 1;
}
