// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace gridiron {

ProgressLine::ProgressLine(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() { finish(); }

void ProgressLine::finish() {
  if (active_) fmt::print(stderr, "\r\033[K");
  active_ = false;
}

void ProgressLine::stage(std::string_view name) {
  if (!active_) return;
  shown_ += fmt::format("{}{}", shown_.empty() ? "" : " › ", name);
  fmt::print(stderr, "\r\033[K{:7.1f} s  {} …", watch_.seconds(), shown_);
  std::fflush(stderr);
}

}  // namespace gridiron
