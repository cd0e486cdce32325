// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gridiron {
namespace {

constexpr double kBetweenLines = 0.1;  ///< s
constexpr double kWorthTelling = 0.5;  ///< s, before the time left is guessed

size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration(double seconds) {
  const int64_t s = std::ceil(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

std::string progress_text(double elapsed_s, const std::vector<std::string>& stages, double share, double since_s,
                          size_t columns) {
  const std::string time = fmt::format("{:7.1f} s  ", elapsed_s);
  std::string tail;
  if (share > 0) {
    tail = fmt::format(" {:.0f} %", 100 * share);
    if (since_s > kWorthTelling && share < 1) tail += fmt::format(", {} left", duration(since_s * (1 - share) / share));
  }
  tail += " …";
  // The first stages make room for the last.
  size_t first = 0, characters = time.size() + tail.size() - 2;  // … is three bytes
  for (const std::string& stage : stages) characters += stage.size() + 3;
  while (first + 1 < stages.size() && characters > columns) characters -= stages[first++].size() + 3;
  std::string text = time;
  for (size_t k = first; k < stages.size(); ++k) text += (k > first ? " › " : "") + stages[k];
  return text + tail;
}

ProgressLine::ProgressLine(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() { finish(); }

void ProgressLine::finish() {
  if (active_) fmt::print(stderr, "\r\033[K");
  active_ = false;
}

void ProgressLine::stage(std::string_view name) {
  if (!active_) return;
  const auto known = std::ranges::find(stages_, name);
  const bool is_new = known == stages_.end();
  if (is_new)
    stages_.emplace_back(name);
  else
    std::rotate(known, known + 1, stages_.end());
  if (is_new || share_ >= 1) {
    share_ = 0;
    begun_s_ = watch_.seconds();
  }
  print();
}

void ProgressLine::rename(std::string_view stage) {
  if (!active_ || stages_.empty()) return;
  stages_.back() = stage;
  print();
}

void ProgressLine::share(double done) {
  if (!active_ || !(done > share_)) return;
  share_ = done;
  if (done >= 1 || watch_.seconds() - printed_s_ > kBetweenLines) print();
}

void ProgressLine::follow(Context& context) {
  context.progress = [this](std::string_view name) { stage(name); };
  context.share_done = [this](double done) { share(done); };
}

void ProgressLine::print() {
  printed_s_ = watch_.seconds();
  fmt::print(stderr, "\r\033[K{}",
             progress_text(printed_s_, stages_, share_, printed_s_ - begun_s_, terminal_columns() - 1));
  std::fflush(stderr);
}

}  // namespace gridiron
