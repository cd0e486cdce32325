// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any text as the value of each option that has a form of its own.
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/results/limits.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/number_checks.hpp"
#include "engines/engine.hpp"
#include "reports/text/escape.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron::fuzz {
namespace {

void parse(const std::string& text) {
  expect_only_errors([&] { check(std::isfinite(parse_volts("--nominal", text))); });
  expect_only_errors([&] { check(parse_tolerance(text) > 0); });
  expect_only_errors([&] { check(!parse_assignment("--nominal", text).first.empty()); });
  expect_only_errors([&] {
    const LimitRequest limit = parse_limit(text);
    check(std::isfinite(limit.value) && limit.value >= 0);
  });
  for (const EngineInfo& engine : engines())
    expect_only_errors(
        [&] { check(!engine.make(parse_settings({text}, std::string(engine.name)))->parameters().empty()); });
  constexpr std::string_view kFormats[] = {"text", "json", "csv"};
  expect_only_errors([&] { check(!parse_formats(text, kFormats, "out").empty()); });
  if (check_whole_number(text, 1, 100).empty()) check(std::stoll(text) >= 1 && std::stoll(text) <= 100);
  if (check_positive(text).empty()) check(std::stold(text) > 0);
  check(printable(text).find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::fuzz::parse({reinterpret_cast<const char*>(data), size});
  return 0;
}
