// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parallel_values.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/recent_values.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// How far the values of a piece are computed: the next one, per kind, and the parameters that it waits for.
struct Progress {
  std::array<size_t, kKinds> next{};
  std::vector<std::string> waits_for;
  bool is_stuck = false;
};

class ParallelValues {
 public:
  ParallelValues(Deck& deck, Parameters& parameters, Circuit& circuit)
      : deck_(deck), parameters_(parameters), circuit_(circuit), progress_(deck.top.pieces.size()) {
    ElementCounts base{};
    for (const Piece& piece : deck.top.pieces) {
      base_.push_back(base);
      for (const Kind k : kEveryKind) base[k] += piece.end[k] - piece.begin[k];
    }
  }

  /// Goes on until a parameter is needed that has no value yet, and settles these one after the other.
  void run() {
    for (bool goes_on = true; goes_on;) {
      parallel_tasks(std::ssize(deck_.top.pieces), [this](int64_t p) {
        if (progress_[p].is_stuck) return;
        for (const Kind k : kEveryKind) advance(p, k);
      });
      std::set<std::string> wanted;
      for (Progress& piece : progress_) wanted.insert(piece.waits_for.begin(), piece.waits_for.end());
      std::set<std::string, std::less<>> failed;
      for (const std::string& name : wanted)
        if (!parameters_.try_settle(name)) failed.insert(name);
      for (Progress& piece : progress_) {
        const auto has_failed = [&](const std::string& name) { return failed.contains(name); };
        piece.is_stuck |= std::ranges::any_of(piece.waits_for, has_failed);
        piece.waits_for.clear();
      }
      goes_on = !wanted.empty();
    }
  }

 private:
  /// Of the expressions that a thread has met last, and of what is in them.
  struct Recent {
    RecentValues expressions;
    Parameters::Met met = {};
  };

  void advance(int64_t p, Kind kind) {
    const Piece& piece = deck_.top.pieces[p];
    std::vector<Deferred>& deferred = deck_.files[piece.file].chunks[piece.chunk].deferred[kind];
    Progress& progress = progress_[p];
    if (progress.is_stuck || !progress.waits_for.empty()) return;
    const auto first = std::ranges::lower_bound(deferred, piece.begin[kind], {}, &Deferred::index);
    if (first == deferred.end() || first->index() >= piece.end[kind]) return;
    Recent recent;
    for (auto d = first + static_cast<ptrdiff_t>(progress.next[kind]);
         d != deferred.end() && d->index() < piece.end[kind]; ++d) {
      const ast::Text text = text_of(*d);
      if (!text.empty() && !compute(text, quantity_of(kind), recent, progress, value_of(p, kind, d->index()))) return;
      if (!text.empty()) d->set_done();
      ++progress.next[kind];
    }
  }

  double& value_of(int64_t p, Kind kind, int64_t index) {
    return circuit_.elements(kind).value[base_[p][kind] + index - deck_.top.pieces[p].begin[kind]];
  }

  /// Of a card that is nothing but an expression or a parameter; empty for all others.
  ast::Text text_of(const Deferred& card) const {
    if (!card.settings().empty()) return {};
    if (card.model().empty()) return card.expression();
    const bool may_be_parameter =
        card.expression().empty() && (deck_.top.models.empty() || !deck_.top.models.contains(lower(card.model())));
    return may_be_parameter && parameters_.knows(card.model()) ? card.model() : ast::Text();
  }

  bool compute(ast::Text text, Quantity quantity, Recent& recent, Progress& progress, double& value) {
    const std::optional<double> computed = recent.expressions.find_or(
        text, quantity, [&] { return parameters_.settled_value(text, quantity, recent.met, progress.waits_for); });
    progress.is_stuck = !computed && progress.waits_for.empty();
    value = computed.value_or(value);
    return computed.has_value();
  }

  Deck& deck_;
  Parameters& parameters_;
  Circuit& circuit_;
  std::vector<Progress> progress_;
  std::vector<ElementCounts> base_;  ///< of the pieces, in the columns
};

}  // namespace

void evaluate_in_parallel(Deck& deck, Parameters& parameters, Circuit& circuit) {
  const bool has_any = std::ranges::any_of(deck.top.pieces, [&deck](const Piece& piece) {
    return std::ranges::any_of(deck.files[piece.file].chunks[piece.chunk].deferred,
                               [](const std::vector<Deferred>& of_kind) { return !of_kind.empty(); });
  });
  if (has_any) ParallelValues(deck, parameters, circuit).run();
}

}  // namespace gridiron
