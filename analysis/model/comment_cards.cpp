// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/comment_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/findings.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr double kAgreeing = 1e-6;

bool agree(double a, double b) { return std::abs(a - b) <= kAgreeing * std::max(std::abs(a), std::abs(b)); }

class CommentCheck {
 public:
  CommentCheck(const Circuit& circuit, const NodePlaces& places, const std::vector<Net>& nets,
               const std::map<std::string, double>& overrides)
      : circuit_(circuit), places_(places), nets_(nets), overrides_(overrides) {}

  std::vector<Finding> run() {
    for (const LayerCard& card : circuit_.layer_cards) check_layer(card);
    for (const NominalCard& card : circuit_.nominal_cards) check_nominal(card);
    return std::move(findings_);
  }

 private:
  /// The first comment of a net number counts.
  void check_layer(const LayerCard& card) {
    const LayerCard* const first = layers_.try_emplace(card.number, &card).first->second;
    if (same_name(first->layer, card.layer) && same_name(first->net, card.net)) return;
    tell("comments-contradict",
         fmt::format("net: {} is layer {} of {} here, and layer {} of {} at {}, which counts; remove one of them",
                     card.number, shown(card.layer), shown(card.net), shown(first->layer), shown(first->net),
                     circuit_.place(first->origin)),
         card.origin);
  }

  void check_nominal(const NominalCard& card) {
    const auto [found, is_new] = nominals_.try_emplace(lower(card.net), &card);
    const NominalCard* const first = found->second;
    if (first->volts != card.volts) {
      tell("comments-contradict",
           fmt::format("net {} has the nominal voltage {:g} V here, and {:g} V at {}; remove one of them",
                       shown(card.net), card.volts, first->volts, circuit_.place(first->origin)),
           card.origin);
      return;
    }
    if (is_new) check_net_of(card);
  }

  void check_net_of(const NominalCard& card) {
    bool is_net = std::ranges::any_of(places_.nets, [&](const auto& net) { return same_name(net, card.net); });
    const Net* other = nullptr;
    for (const Net& net : nets_) {
      if (!same_name(net.name, card.net)) continue;
      is_net = true;
      if (agree(net.nominal_v, card.volts)) return;
      other = &net;
    }
    const auto is_decided = [&](const auto& given) { return same_name(given.first, card.net); };
    if (!is_net)
      tell("nominal-comment",
           fmt::format("the deck has no net {} for this nominal voltage; it has {}", shown(card.net),
                       nets_near(card.net, nets_)),
           card.origin);
    else if (other && std::ranges::none_of(overrides_, is_decided))
      tell(
          "nominal-comment",
          fmt::format("the sources of net {} give {:g} V, from which drops are counted, and not {:g} V; decide with {} "
                      "NET=VOLTS",
                      shown(card.net), other->nominal_v, card.volts, field("nominal")),
          card.origin);
  }

  void tell(const char* code, std::string message, Origin origin) {
    findings_.push_back({Finding::Severity::warning, code, std::move(message), circuit_.place(origin)});
  }

  const Circuit& circuit_;
  const NodePlaces& places_;
  const std::vector<Net>& nets_;
  const std::map<std::string, double>& overrides_;
  std::map<int, const LayerCard*> layers_;              ///< the first of each number
  std::map<std::string, const NominalCard*> nominals_;  ///< the first of each net
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_comments(const Circuit& circuit, const NodePlaces& places, const std::vector<Net>& nets,
                                    const std::map<std::string, double>& overrides) {
  return CommentCheck(circuit, places, nets, overrides).run();
}

}  // namespace gridiron
