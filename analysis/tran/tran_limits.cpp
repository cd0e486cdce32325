// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/tran/windows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::array<std::string_view, 3> kOverTime = {"time-average", "rms", "overshoot"};
constexpr std::string_view kBesidesDrops[] = {kOverTime[0], kOverTime[1], kOverTime[2], kEmQuantity};

const std::vector<double>& column_of(const TranReport& report, std::string_view quantity) {
  if (quantity == kOverTime[0]) return report.average_drop_v;
  return quantity == kOverTime[1] ? report.rms_drop_v : report.overshoot_v;
}

/// As if the column were drops.
IrReport report_on(const TranReport& report, std::string_view quantity) {
  const IrReport& worst = report.worst;
  IrReport other;
  other.layer_names = worst.layer_names;
  other.certificate = worst.certificate;
  other.nodes = worst.nodes;
  other.nodes.drop_v = column_of(report, quantity);
  other.nets = worst.nets;
  for (NetResult& net : other.nets) net.layers.clear();
  add_statistics(other.nodes, other.nets);
  return other;
}

[[noreturn]] void fail_window(const std::string& quantity, const std::string& why) {
  throw field_error("limit", "{}: {}", quantity, why);
}

/// s, both ends included.
struct Window {
  double from = -HUGE_VAL, to = HUGE_VAL;  ///< infinite where left out
  bool operator==(const Window&) const = default;
};
/// The window of a quantity such as worst@2ns..4ns; none without one.
std::optional<Window> window_of(const std::string& quantity) {
  const size_t at = quantity.find('@');
  if (at == std::string::npos) return std::nullopt;
  const std::string_view times = std::string_view(quantity).substr(at + 1);
  const size_t dots = times.find("..");
  const auto time = [&](std::string_view given, double otherwise) {
    const std::optional<double> t = given.empty() ? otherwise : seconds(given);
    return given.empty() || (t && *t >= 0) ? *t : NAN;
  };
  Window window;
  if (dots != std::string_view::npos)
    window = {time(times.substr(0, dots), -HUGE_VAL), time(times.substr(dots + 2), HUGE_VAL)};
  if (dots == std::string_view::npos || !(window.from < window.to))
    fail_window(quantity, "expected a window of time like worst@2ns..4ns, worst@2ns.. or worst@..4ns");
  return window;
}

/// As if every net dropped at worst what it does in the window.
IrReport report_in(const TranReport& report, const Window& window) {
  IrReport other;
  other.certificate = report.worst.certificate;
  other.nets = report.worst.nets;
  for (int32_t k = 0; k < std::ssize(other.nets); ++k)
    other.nets[k].worst_drop_v =
        worst_in_window(report, k, std::max(window.from, report.start_s), std::min(window.to, report.stop_s))
            .worst_drop_v;
  return other;
}

/// Steps that leave out part of what sources do leave open what comes after it. A part that is too small for that adds
/// as much to the estimated error.
void add_errors_in_time(const TranReport& report, double end, LimitResult& limit) {
  const auto& accuracy = report.accuracy;
  limit.is_open = accuracy.missed_since_s < std::min(end, report.stop_s);
  limit.time_error_v =
      accuracy.local_time_error_v + (limit.is_open ? 0.0 : accuracy.missed_share * std::abs(limit.value_v));
  if (limit.exceeded) return;
  limit.undecided = limit.is_open || !(limit.value_v + limit.allowed_error_v() + limit.time_error_v <= limit.limit_v);
}

}  // namespace

LimitRequest parse_tran_limit(const std::string& text) {
  const size_t colon = text.rfind(':'), at = text.find('@', colon == std::string::npos ? 0 : colon),
               equals = text.find('=', at);
  if (at == std::string::npos || equals == std::string::npos) return parse_limit(text, kBesidesDrops);
  LimitRequest limit = parse_limit(text.substr(0, at) + text.substr(equals), kBesidesDrops);
  if (limit.quantity != "worst" || !limit.layer.empty())
    fail_window(text, "only the worst drop of a net is known window by window");
  limit.quantity += text.substr(at, equals - at);
  window_of(limit.quantity);
  return limit;
}

void require_windows(const std::vector<LimitRequest>& limits, double start, double stop) {
  constexpr double kNearly = 1e-9;  ///< of the end, as times are decimal
  for (const LimitRequest& limit : limits)
    if (const std::optional<Window> window = window_of(limit.quantity);
        window && !((window->from == -HUGE_VAL || window->from >= start - kNearly * stop) && window->from < stop &&
                    window->to > start && (window->to == HUGE_VAL || window->to <= stop * (1 + kNearly))))
      fail_window(limit.quantity, fmt::format("the results are of {:.4g} to {:.4g} s", start, stop));
  for (auto limit = limits.begin(); limit != limits.end(); ++limit)
    if (const std::optional<Window> window = window_of(limit->quantity))
      for (auto other = limits.begin(); other != limit; ++other)
        if (window_of(other->quantity) == window && same_name(other->net, limit->net) &&
            other->is_share == limit->is_share && other->value != limit->value)
          refuse_second_limit(limit->quantity, other->quantity);
}

std::vector<LimitResult> check_tran_limits(const TranReport& report, const std::vector<LimitRequest>& limits) {
  std::vector<LimitResult> results;
  for (LimitRequest limit : limits) {
    const std::string quantity = limit.quantity;
    const bool is_over_time = std::ranges::find(kOverTime, quantity) != kOverTime.end();
    const std::optional<Window> window = window_of(quantity);
    if (is_over_time || window) limit.quantity = "worst";
    for (LimitResult& result : check_limits(window         ? report_in(report, *window)
                                            : is_over_time ? report_on(report, quantity)
                                                           : report.worst,
                                            {limit})) {
      result.quantity = quantity;
      add_errors_in_time(report, window ? window->to : HUGE_VAL, result);
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace gridiron
