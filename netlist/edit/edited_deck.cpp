// SPDX-License-Identifier: Apache-2.0
#include "netlist/edit/edited_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "netlist/deck/deck_file.hpp"
#include "netlist/deck/include_path.hpp"
#include "netlist/edit/pad_cards.hpp"
#include "netlist/edit/widened_card.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/writer.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

uint64_t key_of(Origin origin) { return uint64_t{origin.file} << 48 | origin.offset; }

/// A card with the resistors that it stands for and get another value.
struct Card {
  Origin origin;
  double factor;
  std::vector<int64_t> resistors;
};

/// Writes a deck with edits of its text.
class EditedDeck {
 public:
  EditedDeck(const Circuit& circuit, const OutputPath& path)
      : circuit_(circuit),
        edits_(circuit.text_ranges.size()),
        included_(circuit.text_ranges.size()),
        has_edits_(circuit.text_ranges.size()),
        file_(path) {}

  void write(std::span<const ResistorFactor> widened, std::span<const NewPad> pads) {
    widen(cards_of(widened));
    place_included_texts();
    name_waveform_files();
    for (std::vector<TextEdit>& edits : edits_) std::ranges::sort(edits, {}, &TextEdit::offset);
    const std::string added = pad_cards(circuit_, pads);
    const auto is_main = [this](size_t f) { return !circuit_.text_ranges[f].is_included; };
    size_t last = edits_.size() - 1;
    while (!is_main(last)) --last;
    for (size_t f = 0; f < edits_.size(); ++f)
      if (is_main(f)) write_main(f, f == last, added);
    file_.commit();
  }

 private:
  std::string_view text(size_t f) const { return circuit_.files[f]->text(); }

  std::vector<Card> cards_of(std::span<const ResistorFactor> widened) const {
    std::vector<std::pair<uint64_t, ResistorFactor>> sorted;
    sorted.reserve(widened.size());
    for (const ResistorFactor& r : widened)
      if (r.value(circuit_) != circuit_.resistors.value[r.resistor])
        sorted.emplace_back(key_of(circuit_.resistors.origin[r.resistor]), r);
    std::ranges::sort(sorted, {}, [](const auto& s) { return std::pair(s.first, s.second.resistor); });
    std::vector<Card> cards;
    for (const auto& [key, r] : sorted) {
      const Origin origin = circuit_.resistors.origin[r.resistor];
      if (cards.empty() || key_of(cards.back().origin) != key) cards.push_back({origin, r.factor, {}});
      cards.back().resistors.push_back(r.resistor);
      if (cards.back().factor != r.factor) refuse_partial(cards.back(), "by different factors");
    }
    require_all_instances(cards);
    return cards;
  }

  /// A card in a subcircuit has elements in all instances.
  void require_all_instances(const std::vector<Card>& cards) const {
    const auto& marks = circuit_.instances[kResistor];
    if (marks.empty() || cards.empty()) return;
    std::vector<int64_t> elements(cards.size(), 0);
    for (int64_t i = marks.front().first; i < circuit_.resistors.size(); ++i) {
      const uint64_t key = key_of(circuit_.resistors.origin[i]);
      const auto card = std::ranges::lower_bound(cards, key, {}, [](const Card& c) { return key_of(c.origin); });
      if (card != cards.end() && key_of(card->origin) == key) ++elements[card - cards.begin()];
    }
    for (size_t c = 0; c < cards.size(); ++c)
      if (elements[c] > std::ssize(cards[c].resistors)) refuse_partial(cards[c], "in some instances only");
  }

  [[noreturn]] void refuse_partial(const Card& card, std::string_view how) const {
    std::string_view instance = circuit_.instance_path(kResistor, card.resistors[0]);
    instance.remove_suffix(instance.empty() ? 0 : 1);
    throw input_error(
        "{}: {} is to change {}, and this card is that of all instances of its subcircuit; change all of them alike, "
        "or write a subcircuit of its own for {}",
        circuit_.place(card.origin), circuit_.element_name(kResistor, card.resistors[0]), how, instance);
  }

  void widen(const std::vector<Card>& cards) {
    std::vector<std::vector<TextEdit>> edits(cards.size());
    constexpr int64_t kGrain = 1 << 8;
    parallel_tasks((std::ssize(cards) + kGrain - 1) / kGrain, [&](int64_t range) {
      std::vector<double> values;
      for (int64_t c = range * kGrain; c < std::min(std::ssize(cards), (range + 1) * kGrain); ++c) {
        const Card& card = cards[c];
        values.clear();
        for (const int64_t r : card.resistors) values.push_back(circuit_.resistors.value[r]);
        const bool are_at_top = circuit_.instance_path(kResistor, card.resistors[0]).empty();
        edits[c] =
            widened_card(*circuit_.files[card.origin.file], card.origin.offset, {values, are_at_top}, card.factor);
      }
    });
    for (size_t c = 0; c < cards.size(); ++c) {
      std::ranges::move(edits[c], std::back_inserter(edits_[cards[c].origin.file]));
      has_edits_[cards[c].origin.file] = true;
    }
  }

  /// Texts with edits stand in place of the cards that include them, also where these are in an included text; the
  /// cards of others name them by their whole paths.
  void place_included_texts() {
    for (size_t f = edits_.size(); f-- > 0;) {
      const TextRange& range = circuit_.text_ranges[f];
      if (!range.is_included) continue;
      const std::string_view text = this->text(range.card.file);
      const char* at = text.data() + range.card.offset;
      const char* end = at;
      grammar::skip_card(end, text.data() + text.size());
      if (has_edits_[f]) {
        has_edits_[range.card.file] = true;
        included_[range.card.file].emplace_back(range.card.offset, f);
        edits_[range.card.file].push_back({range.card.offset, static_cast<uint64_t>(end - at), {}});
        continue;
      }
      ast::Include card;
      grammar::parse_include(at, text.data() + text.size(), card);
      name_by_whole_path(range.card.file, card.file.empty() ? card.section : card.file);
    }
    for (auto& texts : included_) std::ranges::sort(texts);
  }

  void name_waveform_files() {
    std::vector<FileName> names = circuit_.waveform_files;
    std::ranges::sort(names, {}, [](const FileName& n) { return key_of(n.origin); });
    const auto is_same = [](const FileName& a, const FileName& b) { return key_of(a.origin) == key_of(b.origin); };
    names.erase(std::unique(names.begin(), names.end(), is_same), names.end());
    for (const FileName& n : names)
      name_by_whole_path(n.origin.file, text(n.origin.file).substr(n.origin.offset, n.size));
  }

  void name_by_whole_path(size_t f, std::string_view name) {
    const std::string path = fs::absolute(path_from(circuit_.files[f]->path(), name)).string();
    if (path == name) return;
    const bool is_quoted = name.data()[-1] == '"' || name.data()[-1] == '\'';
    edits_[f].push_back({static_cast<uint64_t>(name.data() - text(f).data()), name.size(),
                         is_quoted ? path : fmt::format("\"{}\"", path)});
  }

  /// A main text: all up to its .end, and of the last one the cards added and what follows.
  void write_main(size_t f, bool is_last, std::string_view added) {
    const std::string_view text = this->text(f);
    const uint64_t end = std::min<uint64_t>(circuit_.text_ranges[f].end, text.size());
    const size_t line = text.substr(0, end).find_last_not_of(" \t\r") + 1;  // of the .end
    write_range(f, 0, line);
    end_line();
    if (!is_last) return;
    file_.write(added);
    put(text.substr(line));
  }

  /// What is read of an included text, behind the card that names it, which is a comment now.
  void write_included(size_t f) {
    const TextRange& range = circuit_.text_ranges[f];
    const std::string_view outer = text(range.card.file), text = this->text(f);
    const std::string_view line =
        outer.substr(range.card.offset, outer.find_first_of("\r\n", range.card.offset) - range.card.offset);
    end_line();
    file_.print("* {}\n", line);
    const uint64_t mark = text.size() - without_byte_order_mark(text).size();
    const uint64_t end = std::min<uint64_t>(range.end, text.size());
    write_range(f, std::max(range.begin, mark), text.substr(0, end).find_last_not_of(" \t\r") + 1);
    file_.print("{}* end of what this card includes: {}", is_at_line_ ? "" : "\n", line);
    is_at_line_ = false;
  }

  void write_range(size_t f, uint64_t begin, uint64_t end) {
    const std::string_view text = this->text(f);
    auto included = included_[f].begin();
    for (const TextEdit& edit : edits_[f]) {
      put(text.substr(begin, edit.offset - begin));
      if (included != included_[f].end() && included->first == edit.offset)
        write_included((included++)->second);
      else
        put(edit.text);
      begin = edit.offset + edit.size;
    }
    put(text.substr(begin, end - begin));
  }

  void put(std::string_view text) {
    if (text.empty()) return;
    file_.write(text);
    is_at_line_ = text.back() == '\n';
  }

  void end_line() {
    if (!std::exchange(is_at_line_, true)) file_.write("\n");
  }

  const Circuit& circuit_;
  std::vector<std::vector<TextEdit>> edits_;                        ///< by text
  std::vector<std::vector<std::pair<uint64_t, size_t>>> included_;  ///< offset of a card, and the text in its place
  std::vector<char> has_edits_;  ///< by text: of resistors in it, or in one that it includes
  DeckFile file_;
  bool is_at_line_ = true;  ///< what is written ends with a newline, or nothing is written
};

}  // namespace

void write_edited_deck(const Circuit& circuit, std::span<const ResistorFactor> widened, std::span<const NewPad> pads,
                       const OutputPath& path) {
  if (circuit.made_names)
    write_netlist(circuit, path, widened, pads);
  else
    EditedDeck(circuit, path).write(widened, pads);
}

}  // namespace gridiron
