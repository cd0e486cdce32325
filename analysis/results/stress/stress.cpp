// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/results/limits.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/results/stress/lifetime.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/results/stress/metal_trees.hpp"
#include "analysis/results/stress/stress_findings.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

/// Sums over the metal of a tree, with voltages measured from its first node.
struct TreeSums {
  int64_t segments = 0;
  double volume_um3 = 0;
  double volt_volume = 0;  ///< ∫ v dV, V µm³

  void take(const TreeSums& other) {
    segments += other.segments;
    volume_um3 += other.volume_um3, volt_volume += other.volt_volume;
  }
};

/// The least and the largest voltage of a tree, measured from its first node.
struct TreeVolts {
  double least = 0, most = 0;
  NodeId lowest = kGround;  ///< kGround: the first one

  void take(const TreeVolts& other) {
    if (other.least < least) least = other.least, lowest = other.lowest;
    most = std::max(most, other.most);
  }
};

/// Per tree what add(i, part) makes of the items i with tree_of(i) ≥ 0, range by range.
template <class Part>
std::vector<Part> parts_of_trees(int64_t items, int64_t trees, auto&& tree_of, auto&& add) {
  constexpr int64_t kGrain = 1 << 16;
  using Parts = std::map<int32_t, Part>;
  std::vector<Parts> of_range(static_cast<size_t>(items / kGrain + 1));
  parallel_ranges(
      items,
      [&](int64_t begin, int64_t end) {
        Parts& some = of_range[begin / kGrain];
        auto last = some.end();  // neighbours are mostly of one tree
        for (int64_t i = begin; i < end; ++i) {
          const int32_t tree = tree_of(i);
          if (tree < 0) continue;
          if (last == some.end() || last->first != tree) last = some.try_emplace(tree).first;
          add(i, last->second);
        }
      },
      kGrain);
  std::vector<Part> all(static_cast<size_t>(trees));
  for (const Parts& some : of_range)
    for (const auto& [tree, part] : some) all[tree].take(part);
  return all;
}

class StressFinder {
 public:
  StressFinder(const IrReport& report, const Metal& metal, MetalTrees trees, StressReport& stress)
      : report_(report), metal_(metal), trees_(std::move(trees)), stress_(stress) {}

  void find() {
    begin();
    const std::vector<TreeSums> sums = sum_metal();
    const std::vector<TreeVolts> volts = range_of_nodes();
    for (size_t k = 0; k < stress_.trees.size(); ++k) judge(stress_.trees[k], sums[k], volts[k]);
    stress_.tree = std::move(trees_.tree);
  }

 private:
  void begin() {
    stress_.trees.resize(trees_.first.size());
    for (size_t k = 0; k < stress_.trees.size(); ++k) {
      StressTree& tree = stress_.trees[k];
      const NodeId first = trees_.first[k];
      tree.number = static_cast<int32_t>(k);
      tree.net = report_.nodes.net[first];
      tree.layer = report_.nodes.layer[first];
      tree.first_v = report_.nodes.voltage_v[first];
      tree.worst = first;
      tree.is_known = trees_.is_known[k] != 0;
    }
  }

  /// Along a wire, which is in one tree, the voltage is linear, so that its mean is that of its ends.
  std::vector<TreeSums> sum_metal() const {
    const Elements& resistors = report_.circuit->resistors;
    const NodeTable& nodes = report_.nodes;
    const auto tree_of = [&](int64_t i) {
      if (metal_.kind[i] == MetalKind::none) return -1;
      const int32_t tree = trees_.tree[resistors.a[i]];
      return metal_.volume_um3[i] > 0 || tree == trees_.tree[resistors.b[i]] ? tree : -1;
    };
    const auto add = [&](int64_t i, TreeSums& sums) {
      ++sums.segments;
      const double volume = metal_.volume_um3[i];
      if (!(volume > 0)) return;
      const NodeId a = resistors.a[i], b = resistors.b[i];
      const double first_v = stress_.trees[trees_.tree[a]].first_v;
      sums.volume_um3 += volume;
      sums.volt_volume += volume * (0.5 * ((nodes.voltage_v[a] - first_v) + (nodes.voltage_v[b] - first_v)));
    };
    return parts_of_trees<TreeSums>(resistors.size(), std::ssize(stress_.trees), tree_of, add);
  }

  /// Atoms leave the low end, where the stress is largest.
  std::vector<TreeVolts> range_of_nodes() const {
    const auto add = [&](int64_t n, TreeVolts& range) {
      const double volts = report_.nodes.voltage_v[n] - stress_.trees[trees_.tree[n]].first_v;
      range.take({volts, volts, static_cast<NodeId>(n)});
    };
    return parts_of_trees<TreeVolts>(
        std::ssize(trees_.tree), std::ssize(stress_.trees), [&](int64_t n) { return trees_.tree[n]; }, add);
  }

  /// Voltages that are within e move a node and the mean by e each. Rounding is that of a sum with so many terms, of
  /// volumes and of the difference, relative to the largest difference of voltages. Metal beyond the last nodes carries
  /// no current, and so moves the mean towards the voltage of one of them at most.
  void judge(StressTree& tree, const TreeSums& sums, const TreeVolts& volts) {
    const double largest_v = volts.most - volts.least, pa_per_volt = stress_.pa_per_volt();
    tree.segments = sums.segments;
    tree.volume_um3 = sums.volume_um3;
    if (volts.lowest != kGround) tree.worst = volts.lowest;
    tree.mean_v = sums.volt_volume / tree.volume_um3;
    tree.stress_pa = stress_.stress_at(tree, tree.first_v + volts.least);
    tree.ceiling_pa = stress_.metal.residual_stress_pa + pa_per_volt * largest_v;
    if (!tree.is_known) {
      tree.stress_pa = tree.mean_v = tree.bound_pa = NAN;
      ++stress_.unknown;
      ++stress_.undecided;
      return;
    }
    constexpr double kTerms = 64;
    const double of_sums = (2 * static_cast<double>(tree.segments) + kTerms) * kUnit;
    const double of_places = 2 * static_cast<double>(tree.segments) * metal_.rounding_um3 / tree.volume_um3;
    tree.volts_pa = pa_per_volt * 2 * report_.certificate.bound_v();
    tree.rounding_pa = pa_per_volt * (of_sums + of_places) * largest_v +
                       4 * kUnit * (std::abs(stress_.metal.residual_stress_pa) + stress_.metal.critical_stress_pa);
    if (has_open_ends(report_))
      tree.ends_pa = pa_per_volt * std::max(volts.most - tree.mean_v, tree.mean_v - volts.least);
    tree.bound_pa = tree.volts_pa + tree.rounding_pa + tree.ends_pa;
    decide(tree);
  }

  /// On the way to the steady state, stress may pass above it, but not in a single wire, where it rises steadily.
  void decide(StressTree& tree) {
    const double critical = stress_.metal.critical_stress_pa;
    const double most = tree.segments == 1 ? std::min(tree.ceiling_pa, tree.stress_pa + tree.ends_pa) : tree.ceiling_pa;
    if (most + tree.volts_pa + tree.rounding_pa < critical) tree.verdict = StressVerdict::immortal;
    if (tree.stress_pa - tree.bound_pa >= critical) tree.verdict = StressVerdict::mortal;
    stress_.immortal += tree.verdict == StressVerdict::immortal;
    stress_.mortal += tree.verdict == StressVerdict::mortal;
    stress_.undecided += tree.verdict == StressVerdict::undecided;
  }

  const IrReport& report_;
  const Metal& metal_;
  MetalTrees trees_;
  StressReport& stress_;
};

void rank(StressReport& stress) {
  constexpr size_t kMost = 10;
  std::vector<int32_t> known;
  for (size_t k = 0; k < stress.trees.size(); ++k)
    if (stress.trees[k].is_known) known.push_back(static_cast<int32_t>(k));
  const auto end = known.begin() + static_cast<ptrdiff_t>(std::min(kMost, known.size()));
  std::partial_sort(known.begin(), end, known.end(), [&](int32_t i, int32_t j) {
    const double a = stress.trees[i].stress_pa, b = stress.trees[j].stress_pa;
    return a != b ? a > b : i < j;
  });
  known.erase(end, known.end());
  stress.worst = std::move(known);
}

constexpr std::string_view kLimits = "limits on stress and lifetimes", kCascade = "a cascade of failures";
constexpr std::string_view kSubjects[] = {kLimits, kCascade, kLimitsOfCascade};

/// Limits on metal are of all nets, as are the failures of a cascade.
void append_left_out(const IrReport& report, const StressOptions& options, std::vector<Finding>& findings) {
  const bool has_limits = options.limit || !options.lifetime_limits.empty();
  if ((has_limits || options.cascade) && !report.left_out_nets.empty())
    findings.push_back(net_not_judged(
        has_limits ? fmt::format("{} do not judge", kLimits) : fmt::format("{} does not follow", kCascade),
        report.left_out_nets, false));
  append(findings, check_left_out(report.left_out, {}, has_limits, report.only_net, kLimits));
}

bool is_of_stress(const Finding& finding) {
  const std::string_view code = finding.code;
  return code.starts_with("stress-") ||
         ((code == kNetNotJudged || code == kLimitLeftOut) &&
          std::ranges::any_of(kSubjects, [&](auto subject) { return finding.message.starts_with(subject); }));
}

StressLimit judge_limit(const StressReport& stress, double share, const Certificate& certificate) {
  StressLimit limit;
  limit.share = share;
  limit.limit_pa = share * stress.metal.critical_stress_pa;
  limit.unknown = stress.unknown;
  limit.is_estimated = certificate.is_estimated;
  limit.is_accepted = certificate.is_accepted;
  limit.is_empty = stress.trees.empty();
  const double volts_pa = stress.pa_per_volt() * 2 * certificate.error_for_limits();
  for (const StressTree& tree : stress.trees) {
    if (!tree.is_known) continue;
    const double bound_pa = volts_pa + tree.rounding_pa + tree.ends_pa;
    limit.bound_pa = std::max(limit.bound_pa, bound_pa);
    limit.failed += tree.stress_pa > limit.limit_pa;
    limit.undecided |= !(tree.stress_pa + bound_pa <= limit.limit_pa);
  }
  if (!stress.worst.empty()) limit.value_pa = stress.trees[stress.worst.front()].stress_pa;
  limit.exceeded = limit.failed > 0;
  limit.undecided &= !limit.exceeded;
  return limit;
}

}  // namespace

StressReport find_stress(const IrReport& report, const Topology& topology, const StressOptions& options,
                         std::vector<Finding>& findings) {
  require_metal_layers(report, options.layers);
  StressReport stress;
  stress.metal = options.metal;
  const MetalSections sections(report, options.layers);
  const Metal metal = find_metal(report, topology, sections);
  MetalTrees trees = find_metal_trees(report, topology, metal);
  append_stress_findings(report, options, sections, metal, trees, findings);
  append_left_out(report, options, findings);
  StressFinder(report, metal, std::move(trees), stress).find();
  rank(stress);
  if (options.lifetime) stress.lifetime = find_lifetime(report, metal, stress, *options.lifetime);
  if (options.limit) stress.limit = judge_limit(stress, *options.limit, report.certificate);
  stress.lifetime_limits = options.lifetime_limits;
  judge_lifetime_limits(stress, report.certificate);
  return stress;
}

void keep_stress(StressReport stress, std::vector<Finding> findings, IrReport& report) {
  std::erase_if(report.findings, is_of_stress);
  append(report.findings, std::move(findings));
  report.stress = std::move(stress);
  const bool escapes = std::ranges::any_of(
      report.findings, [](const Finding& known) { return std::string_view(known.code) == kNetNotJudged; });
  report.unjudged_nets = escapes ? report.left_out_nets : std::vector<std::string>();
}

std::string describe(const StressLimit& limit, const StressReport& stress) {
  constexpr double kMPaPerPa = 1e-6;
  const std::string value = stress.worst.empty() ? "stress of no metal tree"
                                                 : fmt::format("stress of {:.4g} MPa in tree {}",
                                                               kMPaPerPa * limit.value_pa, stress.worst.front());
  const std::string limit_text =
      fmt::format("{:.4g} MPa ({:.4g} % of the critical one)", kMPaPerPa * limit.limit_pa, 100 * limit.share);
  if (limit.exceeded)
    return fmt::format("{} exceeds {}{}{}", value, limit_text,
                       by_less_than(kMPaPerPa * (limit.value_pa - limit.limit_pa), kMPaPerPa * limit.bound_pa, "MPa",
                                    limit.is_estimated ? "estimated error" : "certified error"),
                       limit.failed > 1 ? fmt::format(", one of {} trees that do", limit.failed) : "");
  if (limit.undecided && limit.is_estimated)
    return fmt::format(
        "{} is within {}, but {}", value, limit_text,
        std::isfinite(limit.bound_pa)
            ? fmt::format("its error of {:.2g} MPa is an estimate and leaves it open", kMPaPerPa * limit.bound_pa)
            : fmt::format("errors are estimated only; accept that by {}", field("accept_estimate")));
  if (limit.undecided)
    return fmt::format("{} is within {}, but {}", value, limit_text,
                       certified_only_to(kMPaPerPa * limit.bound_pa, "MPa"));
  return fmt::format("{} is within {}", value, limit_text);
}

std::string unknown_stress(const StressLimit& limit) {
  if (limit.is_empty)
    return "no stress could be judged, as there is no metal: names of nodes, or a layout, tell no wire between two "
           "places of a layer";
  if (limit.unknown == 0) return "";
  return fmt::format("the stress of {} is not known, as some of {} geometry is not; see the findings",
                     counted(limit.unknown, "metal tree"), limit.unknown == 1 ? "its" : "their");
}

}  // namespace gridiron
