// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/lifetime_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/results/limits.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"
#include "support/number_in.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kLifetime = "lifetime";

/// The quantity of a limit: what is between the last colon and the equals sign.
std::string_view quantity_in(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return {};
  text = text.substr(0, equals);
  const size_t colon = text.rfind(':');
  return colon == text.npos ? text : text.substr(colon + 1);
}

LifetimeLimit parse_limit_on_lifetime(const std::string& text) {
  const auto fail = [&] {
    throw field_error("limit",
                      "{}: expected a time of all nets, like lifetime=10y, or of samples, like lifetime@1%=10y; {}",
                      text, kLifetimeUnits);
  };
  const std::string_view quantity = quantity_in(text);
  LifetimeLimit limit;
  if (const std::string_view more = quantity.substr(kLifetime.size()); !more.empty()) {
    const bool is_percent = more.size() > 2 && more.front() == '@' && more.back() == '%';
    limit.percent = is_percent ? number_in<double>(more.substr(1, more.size() - 2)) : std::nullopt;
    if (!limit.percent || !(*limit.percent > 0 && *limit.percent < 100)) fail();
  }
  const std::optional<double> time_s = parse_lifetime(std::string_view(text).substr(text.find('=') + 1));
  if (!text.starts_with(kLifetime) || !time_s) fail();
  limit.limit_s = *time_s;
  return limit;
}

void judge_voids(const StressReport& stress, const Certificate& certificate, LifetimeLimit& limit) {
  limit.of = LifetimeOf::first_void;
  const double volts_pa = stress.pa_per_volt() * 2 * certificate.error_for_limits();
  bool is_open = false;
  std::vector<uint8_t> is_followed(stress.trees.size(), 0);
  for (const TreeLifetime& tree : stress.lifetime->trees) {
    is_followed[tree.tree] = 1;
    if (tree.node == kGround) continue;
    const double error_s = tree.own_error_s + tree.s_per_pa * volts_pa;
    const double time_s = tree.nucleates() || std::isfinite(tree.time_s) ? tree.time_s : 0;
    is_open |= !(time_s - error_s >= limit.limit_s);
    if (!tree.nucleates()) continue;
    limit.failed += tree.time_s < limit.limit_s;
    if (tree.time_s >= limit.value_s) continue;
    limit.value_s = tree.time_s, limit.error_s = error_s, limit.tree = tree.tree;
  }
  for (const StressTree& tree : stress.trees)  // what an estimate leaves open
    is_open |= tree.is_known && !is_followed[tree.number] &&
               !(tree.ceiling_pa + volts_pa + tree.rounding_pa < stress.metal.critical_stress_pa);
  limit.exceeded = limit.failed > 0;
  limit.undecided = !limit.exceeded && is_open;
}

void judge_samples(const LifetimeReport& lifetime, LifetimeLimit& limit) {
  limit.of = LifetimeOf::samples;
  double off = 0;  // share of a time
  for (const TreeLifetime& tree : lifetime.first_trees())
    if (tree.time_s > 0) off = std::max(off, tree.error_s / tree.time_s);
  const auto row = std::ranges::find(lifetime.samples->percentiles, *limit.percent, &LifetimePercentile::percent);
  if (row == lifetime.samples->percentiles.end()) return;
  limit.value_s = row->time_s;
  limit.error_s = std::isfinite(row->time_s) ? row->time_s - row->low_s * (1 - std::min(1.0, off)) : 0;
  limit.exceeded = row->time_s < limit.limit_s;
  const bool is_open = std::ranges::any_of(
      lifetime.trees, [](const TreeLifetime& tree) { return tree.is_undecided && !std::isfinite(tree.time_s); });
  limit.undecided = !limit.exceeded && (is_open || !(row->low_s * (1 - std::min(1.0, off)) >= limit.limit_s));
}

void judge_cascade(const CascadeReport& cascade, LifetimeLimit& limit) {
  limit.of = LifetimeOf::failure;
  limit.value_s = cascade.failure_s();
  if (cascade.fails()) limit.error_s = cascade.failure_error_s(), limit.stage = std::ssize(cascade.stages);
  limit.exceeded = limit.value_s < limit.limit_s;
  if (limit.exceeded) return;
  if (!cascade.has_limit) {
    limit.open = "no limit on drops was given, and so no IR-drop failure is judged";
  } else if (cascade.end == CascadeEnd::stages && !cascade.stages.empty() &&
             !(cascade.stages.back().time_s - cascade.stages.back().error_s >= limit.limit_s)) {
    limit.open = fmt::format("the {} at most that a cascade was to have end after {}, before {}",
                             counted(cascade.options.stages, "stage"), lifetime_text(cascade.stages.back().time_s),
                             lifetime_text(limit.limit_s));
  }
  limit.undecided = !(limit.value_s - limit.error_s >= limit.limit_s);
  for (const CascadeStage& stage : cascade.stages)
    limit.undecided |= stage.is_undecided && !(stage.time_s - stage.error_s >= limit.limit_s);
}

}  // namespace

std::optional<double> parse_lifetime(std::string_view text) {
  const bool is_in_years = text.ends_with('y') || text.ends_with('Y');
  if (is_in_years || text.ends_with('s') || text.ends_with('S')) text.remove_suffix(1);
  if (has_letters(text)) return std::nullopt;
  const double time_s = quantity(text, Quantity::pure).value_or(NAN) * (is_in_years ? kSecondsPerYear : 1);
  return is_lifetime(time_s) ? std::optional(time_s) : std::nullopt;
}

bool is_lifetime(double time_s) { return time_s > 0 && time_s <= kMostLifetimeYears * kSecondsPerYear; }

std::vector<LifetimeLimit> take_lifetime_limits(std::vector<std::string>& texts) {
  std::vector<LifetimeLimit> limits;
  std::vector<std::string> taken;
  std::erase_if(texts, [&](const std::string& text) {
    const std::string_view quantity = quantity_in(text);
    if (quantity.substr(0, quantity.find('@')) != kLifetime) return false;
    LifetimeLimit limit = parse_limit_on_lifetime(text);
    const auto same = std::ranges::find(limits, limit.percent, &LifetimeLimit::percent);
    if (same == limits.end()) {
      limits.push_back(std::move(limit));
      taken.push_back(text);
    } else if (same->limit_s != limit.limit_s) {
      refuse_second_limit(text, taken[same - limits.begin()]);
    }
    return true;
  });
  return limits;
}

void require_horizon(const std::vector<LifetimeLimit>& limits, double horizon_s, bool has_samples) {
  for (const LifetimeLimit& limit : limits) {
    if (limit.limit_s > horizon_s)
      throw field_error("limit", "lifetime={}: {} follows stress until {} only; give it a longer time",
                        lifetime_text(limit.limit_s), field("em_lifetime"), lifetime_text(horizon_s));
    if (limit.percent && !has_samples)
      throw field_error("limit", "lifetime@{:g}%: there are no {} that it is for", *limit.percent, field("em_samples"));
  }
}

void judge_lifetime_limits(StressReport& stress, const Certificate& certificate) {
  for (LifetimeLimit& limit : stress.lifetime_limits) {
    limit = {limit.limit_s, limit.percent};
    if (limit.percent)
      judge_samples(*stress.lifetime, limit);
    else if (stress.cascade)
      judge_cascade(*stress.cascade, limit);
    else
      judge_voids(stress, certificate, limit);
    if (limit.exceeded || !limit.open.empty()) continue;
    if (stress.trees.empty())
      limit.open = "no lifetime could be judged, as there is no metal";
    else if (stress.unknown > 0)
      limit.open = fmt::format("the lifetime of {} is not known, as some of {} geometry is not; see the findings",
                               counted(stress.unknown, "metal tree"), stress.unknown == 1 ? "its" : "their");
  }
}

std::string lifetime_text(double time_s) {
  constexpr double kDay = 86400;
  if (!std::isfinite(time_s)) return "-";
  return time_s < kDay ? fmt::format("{:.4g} s", time_s) : fmt::format("{:.4g} y", time_s / kSecondsPerYear);
}

std::string describe(const LifetimeLimit& limit) {
  std::string until;
  switch (limit.of) {
    case LifetimeOf::first_void:
      until = " to the first void" + (limit.tree >= 0 ? fmt::format(", in tree {},", limit.tree) : "");
      break;
    case LifetimeOf::failure:
      until = " to the IR-drop failure" + (limit.stage > 0 ? fmt::format(", at stage {},", limit.stage) : "");
      break;
    case LifetimeOf::samples:
      until = fmt::format(" that {:g} % of the samples do not reach", *limit.percent);
      break;
  }
  const std::string least = lifetime_text(limit.limit_s);
  if (limit.exceeded)
    return fmt::format(
        "lifetime of {}{} is below {}{}", lifetime_text(limit.value_s), until, least,
        limit.failed > 1 ? fmt::format(", as is that of {}", counted(limit.failed - 1, "other tree")) : "");
  if (limit.undecided && std::isfinite(limit.value_s) && limit.value_s - limit.error_s < limit.limit_s)
    return fmt::format("lifetime of {}{} is above {}, but {}", lifetime_text(limit.value_s), until, least,
                       std::isfinite(limit.error_s)
                           ? fmt::format("its error of {} leaves it open", lifetime_text(limit.error_s))
                           : "errors of voltages are estimated only");
  if (limit.undecided) return fmt::format("lifetime{} is above {}, but errors leave it open", until, least);
  return fmt::format("lifetime{} is above {}", until, least);
}

}  // namespace gridiron
