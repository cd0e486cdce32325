// SPDX-License-Identifier: Apache-2.0
//
// The decks are parsed by splitting at blanks, independently of the project's own reader. Values marked "real" were
// counted in the published decks.
#include "netlist/generator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string text_of(const GeneratorOptions& options) {
  const auto path = test::temporary("generator.sp");
  generate(options, path);
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

struct Card {
  std::string name, a, b, value, line;
  double number() const { return std::strtod(value.c_str(), nullptr); }
};

/// A deck, grouped by kind of card.
struct Deck {
  explicit Deck(const GeneratorOptions& options) {
    std::istringstream text(text_of(options));
    for (std::string line; std::getline(text, line);) {
      if (line.front() == '*') {
        comments.push_back(line);
      } else if (line.front() == '.') {
        controls.push_back(line);
      } else {
        std::istringstream words(line);
        Card card;
        words >> card.name >> card.a >> card.b >> card.value;
        card.line = line;
        cards[static_cast<char>(std::tolower(line.front()))].push_back(card);
      }
    }
  }

  const std::vector<Card>& of(char kind) const {
    static const std::vector<Card> none;
    const auto found = cards.find(kind);
    return found == cards.end() ? none : found->second;
  }

  std::set<std::string> nodes() const {
    std::set<std::string> names;
    for (const auto& [kind, list] : cards) {
      for (const Card& card : list) names.insert({card.a, card.b});
    }
    names.erase("0");
    return names;
  }

  std::map<char, std::vector<Card>> cards;
  std::vector<std::string> comments, controls;
};

struct Place {
  std::string layer;
  long x, y;
};

/// "n1_m4_800_0" is at (800, 0) of "n1_m4", "_X_n3_8_30" at (8, 30) of "_X_n3".
Place place(const std::string& node) {
  const auto y = node.rfind('_'), x = node.rfind('_', y - 1);
  return {node.substr(0, x), std::stol(node.substr(x + 1)), std::stol(node.substr(y + 1))};
}

std::map<std::string, std::vector<Place>> by_layer(const Deck& deck) {
  std::map<std::string, std::vector<Place>> layers;
  for (const std::string& node : deck.nodes()) layers[place(node).layer].push_back(place(node));
  return layers;
}

std::map<std::string, int> resistor_degrees(const Deck& deck) {
  std::map<std::string, int> degree;
  for (const std::string& node : deck.nodes()) degree[node] = 0;
  for (const Card& r : deck.of('r')) ++degree[r.a], ++degree[r.b];
  degree.erase("0");
  return degree;
}

/// Connected parts over resistors, inductors and sources between nodes; ground connects nothing.
class Parts {
 public:
  explicit Parts(const Deck& deck) {
    for (const std::string& node : deck.nodes()) parent_[node] = node;
    for (const char kind : {'r', 'l', 'v'}) {
      for (const Card& card : deck.of(kind)) {
        if (card.a != "0" && card.b != "0") parent_[root(card.a)] = root(card.b);
      }
    }
  }
  std::string root(std::string node) const {
    while (parent_.at(node) != node) node = parent_.at(node) = parent_.at(parent_.at(node));
    return node;
  }
  std::set<std::string> roots() const {
    std::set<std::string> roots;
    for (const auto& [node, up] : parent_) roots.insert(root(node));
    return roots;
  }

 private:
  mutable std::unordered_map<std::string, std::string> parent_;  ///< with path compression
};

/// Parts with a voltage source to ground or, like the decoupling branches of ground nets, connected to it.
std::set<std::string> anchored(const Deck& deck, const Parts& parts) {
  std::set<std::string> roots;
  for (const char kind : {'v', 'r'}) {
    for (const Card& card : deck.of(kind)) {
      if (card.b == "0") roots.insert(parts.root(card.a));
      if (card.a == "0") roots.insert(parts.root(card.b));
    }
  }
  return roots;
}

GeneratorOptions options(const std::string& style, int64_t nodes) { return {.style = style, .nodes = nodes}; }

class EveryStyle : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Generator, EveryStyle, ::testing::Values("ibm", "openroad"),
                         [](const auto& info) { return info.param; });

TEST_P(EveryStyle, SameOptionsAndSeedGiveTheSameBytes) {
  GeneratorOptions o = options(GetParam(), 5000);
  o.transient = true;
  o.via_defects = 0.1;
  const std::string first = text_of(o);
  EXPECT_EQ(first, text_of(o));
  o.seed = 2;
  EXPECT_NE(first, text_of(o));
}

// The same bytes on every machine and compiler; a deliberate change of the decks changes these numbers.
TEST(GeneratorBytes, AreThoseOfTheReferenceMachine) {
  const auto fnv1a = [](const std::string& text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
    return hash;
  };
  for (const auto& [style, hash] : {std::pair{"ibm", 17594718302847672157u}, {"openroad", 13048078699948108118u}}) {
    GeneratorOptions o = options(style, 5000);
    o.nets = 2;
    o.transient = true;
    o.via_defects = 0.01;
    EXPECT_EQ(fnv1a(text_of(o)), hash) << style;
  }
}

TEST_P(EveryStyle, PartsJoinedAreTheDeck) {
  for (const bool transient : {false, true}) {
    GeneratorOptions o = options(GetParam(), 5000);
    o.transient = transient;
    o.via_defects = 0.1;
    const std::string whole = text_of(o);
    for (const int64_t parts : {2, 3, 7}) {
      std::string joined;
      for (int64_t part = 1; part <= parts; ++part) {
        o.part = part;
        o.parts = parts;
        const std::string text = text_of(o);
        EXPECT_EQ(text.back(), '\n');
        EXPECT_NEAR(static_cast<double>(text.size()) * static_cast<double>(parts) / static_cast<double>(whole.size()),
                    1, 0.6)
            << part;
        joined += text;
      }
      EXPECT_EQ(joined, whole) << parts;
      o.part = o.parts = 1;
    }
  }
}

TEST_P(EveryStyle, StandardOutputGetsTheSameBytes) {
  const GeneratorOptions o = options(GetParam(), 3000);
  ::testing::internal::CaptureStdout();
  generate(o, "-");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), text_of(o));
}

TEST_P(EveryStyle, HasTheNodesAskedFor) {
  for (const bool transient : {false, true}) {
    for (const int64_t nodes : {200, 201, 333, 1000, 2500, 20000, 60001}) {
      GeneratorOptions o = options(GetParam(), nodes);
      o.transient = transient;
      if (transient && nodes < 400) o.nets = 1;
      EXPECT_EQ(static_cast<int64_t>(Deck(o).nodes().size()), nodes) << "transient: " << transient;
    }
  }
}

TEST_P(EveryStyle, TinyRequestsGiveAValidGridOrAClearError) {
  int grids = 0, errors = 0;
  for (int64_t nodes = 1; nodes < 200; nodes += 3) {
    GeneratorOptions o = options(GetParam(), nodes);
    o.layers = 2;
    o.nets = 1;
    try {
      const Deck deck(o);
      EXPECT_EQ(static_cast<int64_t>(deck.nodes().size()), nodes);
      EXPECT_FALSE(deck.of('v').empty());
      EXPECT_FALSE(deck.of('i').empty());
      const Parts parts(deck);
      EXPECT_EQ(anchored(deck, parts), parts.roots()) << nodes << " nodes";
      ++grids;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("nodes "), HasSubstr("smallest")));
      ++errors;
    }
  }
  EXPECT_GT(grids, 50);
  EXPECT_GT(errors, 0);
}

TEST_P(EveryStyle, EveryNodeReachesASource) {
  for (int layers = 2; layers <= 8; ++layers) {
    for (const int nets : {1, 3, 4}) {
      for (const bool transient : {false, true}) {
        GeneratorOptions o = options(GetParam(), 6000);
        o.layers = layers;
        o.nets = nets;
        o.transient = transient;
        o.seed = 10 * static_cast<uint64_t>(layers) + nets;
        const Deck deck(o);
        const Parts parts(deck);
        EXPECT_EQ(anchored(deck, parts), parts.roots()) << layers << " layers, " << nets << " nets";
      }
    }
  }
}

TEST_P(EveryStyle, ElementNamesAreUnique) {
  GeneratorOptions o = options(GetParam(), 20000);
  for (const int layers : {2, 5}) {
    o.layers = layers;
    o.transient = layers == 2;
    std::unordered_set<std::string> names;
    const Deck deck(o);
    for (const auto& [kind, list] : deck.cards) {
      for (const Card& card : list) {
        std::string name = card.name;
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        EXPECT_TRUE(names.insert(name).second) << name;
      }
    }
  }
}

TEST_P(EveryStyle, ResistancesArePositiveAndWiresHaveLength) {
  const Deck deck(options(GetParam(), 20000));
  for (const Card& r : deck.of('r')) {
    EXPECT_GT(r.number(), 0) << r.line;
    const Place a = place(r.a), b = place(r.b);
    EXPECT_EQ(a.layer == b.layer, a.x != b.x || a.y != b.y) << r.line;
  }
}

TEST_P(EveryStyle, ViaDefectsAreTheShareAskedForAtAHundredTimes) {
  GeneratorOptions o = options(GetParam(), 40000);
  const Deck sound(o);
  o.via_defects = 0.05;
  const Deck defective(o);

  std::map<std::pair<std::string, std::string>, double> before;
  for (const Card& r : sound.of('r')) before[{r.a, r.b}] = r.number();
  int64_t vias = 0, changed = 0, former_shorts = 0;
  for (const Card& r : defective.of('r')) {
    const bool via = place(r.a).layer != place(r.b).layer && r.b.front() != '_';
    vias += via;
    const auto same = before.find({r.a, r.b});
    if (same == before.end()) {
      ++former_shorts;
      EXPECT_DOUBLE_EQ(r.number(), 5);
    } else if (same->second != r.number()) {
      ++changed;
      EXPECT_TRUE(via) << r.line;
      EXPECT_NEAR(r.number() / same->second, 100, 1e-4) << r.line;
    }
  }
  for (const Card& v : defective.of('v')) vias += v.a != "0" && v.b != "0";
  EXPECT_NEAR(static_cast<double>(changed + former_shorts) / static_cast<double>(vias), 0.05, 0.005);

  o.via_defects = 1;
  const Deck hopeless(o);
  for (const Card& v : hopeless.of('v')) EXPECT_EQ(v.b, "0");
}

TEST_P(EveryStyle, TransientDecksSwitch) {
  GeneratorOptions o = options(GetParam(), 20000);
  o.transient = true;
  const Deck deck(o);
  ASSERT_EQ(deck.controls.size(), 3u);
  EXPECT_EQ(deck.controls[0], ".tran 1e-11 1e-8");
  EXPECT_EQ(deck.controls[2], ".end");

  const auto nodes = deck.nodes();
  std::istringstream print(deck.controls[1]);
  std::string word;
  print >> word >> word;
  EXPECT_EQ(word, "tran");
  std::set<std::string> probes;
  while (print >> word) {
    ASSERT_TRUE(word.starts_with("v(") && word.ends_with(")")) << word;
    probes.insert(word.substr(2, word.size() - 3));
  }
  EXPECT_EQ(probes.size(), 20u);
  for (const std::string& probe : probes) EXPECT_TRUE(nodes.contains(probe)) << probe;

  size_t pulses = 0;
  for (const Card& i : deck.of('i')) {
    const auto start = i.line.find("pulse(");
    if (start == std::string::npos) {
      EXPECT_EQ(i.value, "0") << i.line;
      continue;
    }
    ++pulses;
    std::string arguments = i.line.substr(start + 6);
    std::ranges::replace(arguments, ',', ' ');
    std::istringstream words(arguments);
    double initial, pulsed, delay, rise, fall, width, period;
    words >> initial >> pulsed >> delay >> rise >> fall >> width >> period;
    ASSERT_TRUE(words) << i.line;
    EXPECT_DOUBLE_EQ(initial, i.number());
    EXPECT_NEAR(pulsed / initial, 2500, 1);  // real (ibmpg1t): 2.18725e-5 and 0.0546813
    EXPECT_LE(delay, 1.2e-9);
    EXPECT_LT(rise + fall + width, period);
  }
  EXPECT_EQ(deck.of('c').size(), pulses);

  std::set<std::string> sources, inductors;
  for (const Card& v : deck.of('v')) {
    if (v.b == "0") sources.insert(v.a);
  }
  for (const Card& l : deck.of('l')) {
    inductors.insert(l.a);
    EXPECT_EQ(l.number(), 1e-9);
    EXPECT_TRUE(l.a.starts_with("_Y_")) << l.line;
  }
  EXPECT_EQ(sources, inductors);
}

/// Worst drop of each net relative to its supply, by conjugate gradients on the deck.
double worst_drop(const Deck& deck) {
  std::map<std::string, size_t> index{{"0", 0}};
  for (const std::string& node : deck.nodes()) index.emplace(node, index.size());
  std::vector<size_t> same(index.size());
  std::iota(same.begin(), same.end(), size_t{0});
  const auto root = [&](const std::string& node) {
    size_t i = index.at(node);
    while (same[i] != i) i = same[i];
    return i;
  };
  std::vector<double> fixed(index.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Card& v : deck.of('v')) {
    if (v.b != "0") same[root(v.a)] = root(v.b);
  }
  double supply = 0;
  for (const Card& v : deck.of('v')) {
    if (v.b != "0") continue;
    fixed[root(v.a)] = v.number();
    supply = std::max(supply, v.number());
  }
  fixed[0] = 0;

  struct Conductor {
    size_t a, b;
    double siemens;
  };
  std::vector<Conductor> conductors;
  std::vector<double> diagonal(index.size()), x(index.size()), load(index.size());
  for (const Card& r : deck.of('r')) {
    conductors.push_back({root(r.a), root(r.b), 1 / r.number()});
    diagonal[conductors.back().a] += conductors.back().siemens;
    diagonal[conductors.back().b] += conductors.back().siemens;
  }
  for (const Card& i : deck.of('i')) {
    load[root(i.a)] -= i.number();
    load[root(i.b)] += i.number();
  }
  const auto apply = [&](const std::vector<double>& v) {
    std::vector<double> y(v.size());
    for (const Conductor& c : conductors) {
      y[c.a] += c.siemens * (v[c.a] - v[c.b]);
      y[c.b] += c.siemens * (v[c.b] - v[c.a]);
    }
    return y;
  };
  const auto is_free = [&](size_t i) { return std::isnan(fixed[i]) && diagonal[i] > 0; };
  const auto dot = [&](const std::vector<double>& u, const std::vector<double>& v) {
    double sum = 0;
    for (size_t i = 0; i < u.size(); ++i) sum += is_free(i) ? u[i] * v[i] : 0;
    return sum;
  };
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::isnan(fixed[i]) ? 0 : fixed[i];
  std::vector<double> r = apply(x), z(x.size()), p(x.size());
  for (size_t i = 0; i < x.size(); ++i) r[i] = load[i] - r[i];
  double rho = 0;
  const double target = 1e-16 * dot(r, r);
  for (int iteration = 0; iteration < 20000 && dot(r, r) > target; ++iteration) {
    for (size_t i = 0; i < x.size(); ++i) z[i] = is_free(i) ? r[i] / diagonal[i] : 0;
    const double before = std::exchange(rho, dot(r, z));
    for (size_t i = 0; i < x.size(); ++i) p[i] = z[i] + (iteration ? rho / before * p[i] : 0);
    const std::vector<double> q = apply(p);
    const double alpha = rho / dot(p, q);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
  }
  EXPECT_LE(dot(r, r), target) << "did not converge";

  double worst = 0;
  for (const auto& [node, i] : index) {
    const double volts = x[root(node)];
    worst = std::max(worst, std::min(std::abs(volts), std::abs(supply - volts)) / supply);
  }
  return worst;
}

TEST_P(EveryStyle, WorstDropIsRealistic) {
  for (const int64_t nodes : {1000, 5000, 20000}) {
    for (const uint64_t seed : {1, 2}) {
      for (const int layers : {2, 5}) {
        GeneratorOptions o = options(GetParam(), nodes);
        o.seed = seed;
        o.layers = layers;
        const double drop = worst_drop(Deck(o));
        EXPECT_GE(drop, 0.04) << nodes << " nodes, seed " << seed << ", layers " << layers;
        EXPECT_LE(drop, 0.15) << nodes << " nodes, seed " << seed << ", layers " << layers;
      }
    }
  }
}

// Default number of layers: like ibmpg2, ibmpg3 and ibmpg4.
class IbmDeck : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { deck_ = new Deck(options("ibm", 130000)); }
  static void TearDownTestSuite() { delete deck_; }
  static const Deck* deck_;
};
const Deck* IbmDeck::deck_;

TEST_F(IbmDeck, NodesPerLayerResembleIbmpg2) {
  const auto layers = by_layer(*deck_);
  const auto share = [&](const std::string& gnd, const std::string& vdd) {
    return static_cast<double>(layers.at(gnd).size() + layers.at(vdd).size()) / 130000;
  };
  EXPECT_NEAR(share("n0", "n1"), 0.302, 0.02);           // real: 30.2 %
  EXPECT_NEAR(share("n2", "n3"), 0.308, 0.02);           // real: 30.8 %
  EXPECT_NEAR(share("n4", "n5"), 0.344, 0.02);           // real: 34.4 %
  EXPECT_NEAR(share("n6", "n7"), 0.043, 0.01);           // real: 4.3 %
  EXPECT_NEAR(share("_X_n8", "_X_n9"), 0.0026, 0.0006);  // real: 0.26 %, on its fourth metal
  EXPECT_LT(share("n8", "n9"), 0.02);
}

TEST_F(IbmDeck, DegreesResembleIbmpg2) {
  std::map<std::string, std::map<int, double>> histogram;
  for (const auto& [node, degree] : resistor_degrees(*deck_)) histogram[place(node).layer][degree] += 1;
  const auto share = [&](const std::string& layer, int degree) {
    double all = 0;
    for (const auto& [d, count] : histogram[layer]) all += count;
    return histogram[layer][degree] / all;
  };
  EXPECT_GT(share("n0", 3), 0.9);                                                // real: 98.8 %
  EXPECT_GT(share("n2", 4), 0.9);                                                // real: 94.7 %
  EXPECT_GT(share("n4", 3), 0.9);                                                // real: 98.1 %
  EXPECT_NEAR(share("n6", 3), 0.78, 0.05);                                       // real: 75.6 and 90.5 %
  EXPECT_NEAR(share("n6", 2), 0.18, 0.05);                                       // real: 20.4 and 6.1 %
  EXPECT_NEAR(share("n6", 1), 0.03, 0.02);                                       // real: 4.0 and 3.4 %: dangling ends
  EXPECT_NEAR(static_cast<double>(deck_->of('r').size()) / 130000, 1.64, 0.04);  // real: 1.637 … 1.646
}

TEST_F(IbmDeck, LoadsComeInPairs) {
  std::map<std::string, const Card*> supply, ground;
  for (const Card& i : deck_->of('i')) {
    const bool is_supply = i.name.ends_with("_v");
    ASSERT_TRUE(i.name.starts_with("iB") && (is_supply || i.name.ends_with("_g"))) << i.name;
    (is_supply ? supply : ground)[i.name.substr(0, i.name.size() - 2)] = &i;
  }
  ASSERT_EQ(supply.size(), ground.size());
  for (const auto& [name, v] : supply) {
    ASSERT_TRUE(ground.contains(name)) << name;
    const Card& g = *ground.at(name);
    EXPECT_EQ(v->value, g.value) << name;
    EXPECT_EQ(v->b, "0");
    EXPECT_EQ(g.a, "0");
    const Place at_v = place(v->a), at_g = place(g.b);
    EXPECT_EQ(at_v.layer, "n1");
    EXPECT_EQ(at_g.layer, "n0");
    EXPECT_LE(std::abs(at_v.x - at_g.x) + std::abs(at_v.y - at_g.y), 100);
  }
  EXPECT_NEAR(static_cast<double>(deck_->of('i').size()) / 130000, 0.265, 0.03);  // real: 0.236 … 0.298
  size_t zero = 0;
  std::set<std::string> values;
  for (const Card& i : deck_->of('i')) {
    zero += i.value == "0";
    values.insert(i.value);
  }
  EXPECT_NEAR(static_cast<double>(zero) / static_cast<double>(deck_->of('i').size()), 0.029, 0.005);  // real: 2.9 %
  EXPECT_LE(values.size(), 17u);                                                                      // real: 17
}

TEST_F(IbmDeck, LoadsStandOnNodesOfTheMesh) {
  const auto degree = resistor_degrees(*deck_);
  for (const Card& i : deck_->of('i')) EXPECT_GT(degree.at(i.a == "0" ? i.b : i.a), 0) << i.line;
}

TEST_F(IbmDeck, PadsSitBehindAQuarterOhm) {
  std::map<std::string, std::string> volts;
  for (const Card& v : deck_->of('v')) {
    if (v.b == "0") volts[v.a] = v.value;
  }
  EXPECT_NEAR(static_cast<double>(volts.size()), 330, 60);  // real ibmpg2: 330 for 127 235 nodes
  size_t pads = 0;
  for (const Card& r : deck_->of('r')) {
    if (!r.b.starts_with("_X_")) continue;
    ++pads;
    EXPECT_EQ("_X_" + r.a, r.b);
    EXPECT_EQ(r.value, "0.25");
    ASSERT_TRUE(volts.contains(r.b));
    EXPECT_EQ(volts.at(r.b), place(r.a).layer == "n9" ? "1.8" : "0");
  }
  EXPECT_EQ(pads, volts.size());
}

TEST_F(IbmDeck, HasOneGroundAndFourVddIslands) {
  const Parts parts(*deck_);
  std::map<std::string, std::set<std::string>> islands;
  for (const Card& v : deck_->of('v')) {
    if (v.b == "0") islands[v.value].insert(parts.root(v.a));
  }
  EXPECT_EQ(islands["0"].size(), 1u);
  EXPECT_EQ(islands["1.8"].size(), 4u);  // real: as ibmpg1
}

TEST_F(IbmDeck, LayerCardsNameEveryLayer) {
  std::set<std::string> named, used;
  for (const std::string& comment : deck_->comments) {
    if (!comment.starts_with("* layer: M")) continue;
    const std::string number = comment.substr(comment.rfind(' ') + 1);
    EXPECT_THAT(comment, HasSubstr(std::stoi(number) % 2 ? ",VDD" : ",GND"));
    named.insert("n" + number);
  }
  for (const auto& [layer, places] : by_layer(*deck_)) {
    if (layer.front() == 'n') used.insert(layer);
  }
  EXPECT_EQ(named, used);
  EXPECT_EQ(deck_->controls, (std::vector<std::string>{".op", ".end"}));
}

TEST_F(IbmDeck, PitchesAreIrregularAndMacrosCutTheLowestMetal) {
  std::map<long, size_t> columns;
  const auto layers = by_layer(*deck_);
  for (const Place& p : layers.at("n2")) ++columns[p.x];
  std::set<long> pitches;
  for (auto it = columns.begin(); std::next(it) != columns.end(); ++it)
    pitches.insert(std::next(it)->first - it->first);
  EXPECT_GE(pitches.size(), 4u);
  EXPECT_LE(*pitches.rbegin(), 72);
  std::set<size_t> nodes_per_column;
  for (const auto& [x, nodes] : columns) nodes_per_column.insert(nodes);
  EXPECT_LT(*nodes_per_column.begin(), *nodes_per_column.rbegin());
}

TEST(IbmStyle, FewLayersHaveZeroVoltVias) {
  for (const auto& [layers, real_nodes_in_lowest] : {std::pair{2, 0.458}, {3, 0.5}}) {
    GeneratorOptions o = options("ibm", 30000);
    o.layers = layers;
    const Deck deck(o);
    std::map<std::string, std::string> up;
    for (const Card& v : deck.of('v')) {
      if (v.b == "0") continue;
      EXPECT_EQ(v.number(), 0) << v.line;
      up[v.a] = v.b;
    }
    const auto nodes = by_layer(deck);
    const auto lowest = static_cast<double>(nodes.at("n0").size() + nodes.at("n1").size());
    EXPECT_NEAR(lowest / 30000, real_nodes_in_lowest, 0.06);
    EXPECT_GT(static_cast<double>(up.size()) / lowest, 0.95);                  // real ibmpg1: all
    EXPECT_NEAR(static_cast<double>(deck.of('r').size()) / 30000, 1.0, 0.03);  // real ibmpg1, 5, 6: 0.98 … 1.00
  }
}

TEST(IbmStyle, NetsAreVddIslands) {
  for (const int nets : {1, 2, 7, 12}) {
    GeneratorOptions o = options("ibm", 9000);
    o.nets = nets;
    EXPECT_EQ(Parts(Deck(o)).roots().size(), static_cast<size_t>(nets) + 1);
  }
}

// Like testcase1, testcase11 and map27 of the ICCAD 2023 contest.
class OpenroadDeck : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { deck_ = new Deck(options("openroad", 40000)); }
  static void TearDownTestSuite() { delete deck_; }
  static const Deck* deck_;
};
const Deck* OpenroadDeck::deck_;

TEST_F(OpenroadDeck, NodesPerLayerResembleTheContest) {
  const auto layers = by_layer(*deck_);
  const auto share = [&](const std::string& layer) { return static_cast<double>(layers.at(layer).size()) / 40000; };
  EXPECT_EQ(layers.size(), 5u);
  EXPECT_NEAR(share("n1_m1"), 0.833, 0.02);   // real: 82.8 … 83.9 %
  EXPECT_NEAR(share("n1_m4"), 0.072, 0.02);   // real: 6.1 … 7.9 %
  EXPECT_NEAR(share("n1_m7"), 0.016, 0.004);  // real: 1.6 … 1.8 %
  EXPECT_NEAR(share("n1_m8"), 0.044, 0.006);  // real: 4.1 … 4.6 %
  EXPECT_NEAR(share("n1_m9"), 0.035, 0.005);  // real: 3.4 … 3.6 %
}

TEST_F(OpenroadDeck, MostNodesAreInSeries) {
  size_t rail = 0, rail_in_series = 0, kept = 0;
  for (const auto& [node, degree] : resistor_degrees(*deck_)) {
    kept += degree > 2;
    if (place(node).layer != "n1_m1") continue;
    ++rail;
    rail_in_series += degree == 2;
  }
  EXPECT_NEAR(static_cast<double>(rail_in_series) / static_cast<double>(rail), 0.9, 0.02);  // real: 89.7 … 91.2 %
  EXPECT_NEAR(static_cast<double>(kept) / 40000, 0.225, 0.025);
}

TEST_F(OpenroadDeck, ResistancesAreThoseOfTheContest) {
  std::map<std::pair<std::string, std::string>, std::set<double>> per_unit;
  for (const Card& r : deck_->of('r')) {
    const Place a = place(r.a), b = place(r.b);
    const auto length = static_cast<double>(std::abs(a.x - b.x) + std::abs(a.y - b.y));
    per_unit[{a.layer, b.layer}].insert(length > 0 ? r.number() / length : r.number());
  }
  const std::map<std::pair<std::string, std::string>, double> real = {
      {{"n1_m1", "n1_m1"}, 5.356235 / 4800},  {{"n1_m1", "n1_m4"}, 15},
      {{"n1_m4", "n1_m4"}, 1.4 / 4800},       {{"n1_m4", "n1_m7"}, 9},
      {{"n1_m7", "n1_m7"}, 0.594243 / 22400}, {{"n1_m7", "n1_m8"}, 1},
      {{"n1_m8", "n1_m8"}, 0.12 / 22400},     {{"n1_m8", "n1_m9"}, 1},
      {{"n1_m9", "n1_m9"}, 0.096 / 22400}};
  EXPECT_EQ(per_unit.size(), real.size());
  for (const auto& [layers, value] : real) {
    for (const double ours : per_unit[layers]) EXPECT_NEAR(ours / value, 1, 1e-3) << layers.first << layers.second;
  }
}

TEST_F(OpenroadDeck, LoadsAndSuppliesResembleTheContest) {
  std::set<std::string> loaded;
  std::vector<double> values;
  for (const Card& i : deck_->of('i')) {
    EXPECT_EQ(i.b, "0");
    EXPECT_EQ(place(i.a).layer, "n1_m1");
    EXPECT_TRUE(loaded.insert(i.a).second) << i.line;
    values.push_back(i.number());
  }
  const auto rail = static_cast<double>(by_layer(*deck_).at("n1_m1").size());
  EXPECT_GE(static_cast<double>(loaded.size()) / rail, 0.55);  // real: 64 … 100 %
  EXPECT_LE(static_cast<double>(loaded.size()) / rail, 1.0);
  std::ranges::sort(values);
  const double median = values[values.size() / 2];
  EXPECT_GT(values[values.size() * 95 / 100] / median, 2.5);  // real: 2.8 … 9.8, a heavy tail
  EXPECT_LT(values[values.size() * 5 / 100] / median, 0.5);   // real: 0.12 … 0.34

  EXPECT_THAT(deck_->of('v').size(), AllOf(::testing::Ge(8u), ::testing::Le(16u)));  // real: one per 2500 … 5400
  for (const Card& v : deck_->of('v')) {
    EXPECT_EQ(place(v.a).layer, "n1_m9");
    EXPECT_EQ(v.value, "1.1");
  }
}

TEST(OpenroadStyle, NetsAreSeparateAndHaveTheirOwnSources) {
  GeneratorOptions o = options("openroad", 12000);
  o.nets = 3;
  const Deck deck(o);
  const Parts parts(deck);
  EXPECT_EQ(parts.roots().size(), 3u);
  std::map<std::string, std::set<std::string>> nets;
  for (const Card& v : deck.of('v')) nets[v.a.substr(0, 2)].insert(parts.root(v.a));
  EXPECT_EQ(nets.size(), 3u);
  for (const auto& [net, roots] : nets) EXPECT_EQ(roots.size(), 1u) << net;
  for (const std::string card : {"* dbu: 2000", "* nominal: n1 1.1", "* nominal: n2 1.1", "* nominal: n3 1.1"}) {
    EXPECT_THAT(deck.comments, ::testing::Contains(card));
  }
}

TEST(OpenroadStyle, LayersAreTheLowestOfTheStack) {
  const std::vector<std::string> stack = {"n1_m1", "n1_m4", "n1_m7", "n1_m8", "n1_m9", "n1_m10", "n1_m11", "n1_m12"};
  for (int layers = 2; layers <= 8; ++layers) {
    GeneratorOptions o = options("openroad", 4000);
    o.layers = layers;
    std::set<std::string> used;
    for (const auto& [layer, places] : by_layer(Deck(o))) used.insert(layer);
    EXPECT_EQ(used, std::set<std::string>(stack.begin(), stack.begin() + layers));
  }
}

std::string error_of(const GeneratorOptions& options) {
  try {
    text_of(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GeneratorOptions, InvalidOnesAreNamedWithTheKnownValues) {
  EXPECT_THAT(error_of({.style = "intel"}), AllOf(HasSubstr("intel"), HasSubstr("ibm, openroad")));
  for (const int64_t nodes : {int64_t{-5}, int64_t{0}, int64_t{1} << 31}) {
    EXPECT_THAT(error_of({.nodes = nodes}), AllOf(HasSubstr("nodes "), HasSubstr("2147483647")));
  }
  for (const int layers : {-1, 1, 99}) {
    EXPECT_THAT(error_of({.layers = layers}), AllOf(HasSubstr("layers "), HasSubstr("2 to 9")));
    EXPECT_THAT(error_of({.style = "openroad", .layers = layers}), AllOf(HasSubstr("layers "), HasSubstr("2 to 8")));
  }
  for (const int nets : {-1, 100000}) EXPECT_THAT(error_of({.nets = nets}), HasSubstr("nets "));
  for (const auto& [part, parts] : {std::pair{0, 2}, {3, 2}, {1, 0}})
    EXPECT_THAT(error_of({.part = part, .parts = parts}), HasSubstr("part "));
  for (const double share : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THAT(error_of({.via_defects = share}), AllOf(HasSubstr("via_defects "), HasSubstr("0 to 1")));
  }
}

TEST(GeneratorOutput, AFolderThatIsMissingIsInvalidInputAndLeavesNothing) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "gridiron_missing_folder" / "deck.sp";
  EXPECT_THROW(generate(options("ibm", 1000), path), InputError);
  EXPECT_FALSE(std::filesystem::exists(path.parent_path()));
}

}  // namespace
}  // namespace gridiron
