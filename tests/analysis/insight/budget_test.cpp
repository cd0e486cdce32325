// SPDX-License-Identifier: Apache-2.0
// Worst cases over budgets: against all vertices of what is allowed, against random loads, and by hand.
#include "analysis/insight/budget_bound.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "analysis/insight/budget_check.hpp"
#include "analysis/insight/budget_node.hpp"
#include "analysis/insight/budget_shares.hpp"
#include "netlist/reader.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::design_of;
using test::error_of;
using testing::HasSubstr;

/// A deck, solved for its own loads, and a budget for it.
struct Bounded {
  std::shared_ptr<const Design> design;
  Solver solver;
  IrReport deck;
  BudgetTable table;
  BudgetReport budget;

  Bounded(std::shared_ptr<const Design> of, const std::string& rules, const BudgetOptions& options = {},
          const SolverOptions& how = exactly())
      : design(std::move(of)),
        solver(System(design), how, test::on_cpu(1)),
        deck(summarise(solver.system(), solver.solve())),
        table(read_budget_text(rules, "b.csv")),
        budget(bound_over_budget(solver, deck, table, options)) {}
  Bounded(const std::string& text, const std::string& rules, const BudgetOptions& options = {},
          const SolverOptions& how = exactly())
      : Bounded(design_of(text), rules, options, how) {}

  static SolverOptions exactly() {
    SolverOptions options;
    options.engine = "cholmod";
    options.tolerance_v = 1e-9;
    return options;
  }
  const BudgetNet& net(const std::string& name) const {
    for (const BudgetNet& net : budget.nets)
      if (deck.nets[net.net].name == name) return net;
    throw std::runtime_error("no net " + name);
  }
  std::string worst_node(const std::string& name) const {
    return std::string(design->circuit->node_name(net(name).worst.front().node));
  }
};

constexpr const char* kLine =
    "* a line of three nodes behind a pad\n"
    "v1 p 0 1\nr0 p a 1\nr1 a b 1\nr2 b c 1\n"
    "ia a 0 1m\nib b 0 1m\nic c 0 1m\n.end\n";

TEST(Budget, ByHandOnALine) {
  // λ of c is 1, 2, 3 Ω at a, b, c: 2 mA at c and the last 1 mA at b.
  const Bounded run(kLine, "each,*,2mA\nsum,*,3mA\n", {{"a"}});
  const BudgetNet& net = run.net("p");
  EXPECT_EQ(run.worst_node("p"), "c");
  EXPECT_NEAR(net.worst.front().drop_v, 2e-3 * 3 + 1e-3 * 2, 1e-12);
  EXPECT_NEAR(net.worst.front().deck_drop_v, 6e-3, 1e-12);
  EXPECT_EQ(net.worst.front().full_blocks, std::vector<int32_t>{0});
  EXPECT_TRUE(net.is_certain);
  EXPECT_NEAR(net.check_drop_v, 8e-3, 1e-12);
  EXPECT_THAT(net.load_a, testing::Pointwise(testing::DoubleNear(1e-15), {0.0, 1e-3, 2e-3}));
  EXPECT_NEAR(run.budget.chosen.at(0).drop_v, 3e-3, 1e-12);
}

TEST(Budget, LoadsWithoutARuleStayAndCount) {
  const Bounded run(kLine, "each,ic,2mA\nsum,*,3.5mA\n");  // ia and ib draw 1 mA each
  EXPECT_NEAR(run.net("p").worst.front().drop_v, 1e-3 * (1 + 2) + 1.5e-3 * 3, 1e-12);
}

TEST(Budget, LaterRulesHoldAndSharesAreOfTheDeck) {
  const Bounded run(kLine, "rule,members,most,least\neach,*,300%\neach,i?,50%,10%\neach,IB ic,2m,1m\n");
  EXPECT_NEAR(run.net("p").worst.front().drop_v, 0.5e-3 + 2e-3 * 2 + 2e-3 * 3, 1e-12);
  EXPECT_NEAR(run.budget.least_a, 0.1e-3 + 1e-3 + 1e-3, 1e-15);
}

TEST(Budget, PowerIsAtTheNominalVoltage) {
  const std::string deck = "* two supplies\nv1 p 0 2\nr1 p a 1\nia a 0 1\nv2 q 0 1\nr2 q b 1\nib b 0 1\n.end\n";
  const Bounded run(deck, "each,*,10A\nsum,*,4W\n");
  EXPECT_NEAR(run.net("p").worst.front().drop_v, 2, 1e-9);
  EXPECT_NEAR(run.net("q").worst.front().drop_v, 4, 1e-9);
}

TEST(Budget, GroundNetsBounceAndPairsDrawOneCurrent) {
  const std::string deck =
      "* both\nv1 n1_0_0 0 1\nr1 n1_0_0 n1_1_0 1\nv2 n2_0_0 0 0\nr2 n2_0_0 n2_1_0 2\n"
      "ix_v n1_1_0 0 1\nix_g 0 n2_1_0 1\n.end\n";
  const Bounded run(deck, "each,ix,3A\nsum,*,2A\n");
  ASSERT_EQ(run.budget.loads, 1);
  ASSERT_EQ(run.budget.nets.size(), 2U);
  EXPECT_NEAR(run.budget.nets[0].worst.front().drop_v, 2, 1e-9);
  EXPECT_NEAR(run.budget.nets[1].worst.front().drop_v, 4, 1e-9);
  EXPECT_THAT(run.budget.nets[0].load_a, testing::Pointwise(testing::DoubleNear(1e-12), {2.0, 2.0}));
}

TEST(Budget, LimitsAreJudgedOnTheWorstCase) {
  BudgetOptions options;
  options.limits = {parse_limit("7mV")};
  const Bounded exceeded(kLine, "each,*,2mA\nsum,*,3mA\n", options);
  EXPECT_TRUE(exceeded.net("p").exceeded);
  options.limits = {parse_limit("worst=9mV")};
  const Bounded kept(kLine, "each,*,2mA\nsum,*,3mA\n", options);
  EXPECT_FALSE(kept.net("p").exceeded || kept.net("p").undecided);
}

std::string complaint(const std::string& rules, const std::string& deck = kLine, const BudgetOptions& options = {}) {
  return error_of<InputError>([&] { Bounded(deck, rules, options); });
}

TEST(Budget, ErrorsSayWhere) {
  EXPECT_THAT(complaint("each,*,-1mA\n"), HasSubstr("b.csv:1:8: -1mA: a load draws 0 or more"));
  EXPECT_THAT(complaint("each,*,1m,2m\n"), HasSubstr("b.csv:1:11: the least, 2m, is above the most, 1m"));
  EXPECT_THAT(complaint("each,*,100%,2m\n"), HasSubstr("b.csv:1:1: the least of ia, 0.002 A, is above its most"));
  EXPECT_THAT(complaint("each,*,2m,1m\n# c\n sum,*,2.5m\n"),
              HasSubstr("b.csv:3:2: the loads of this sum draw 0.003 A"));
  EXPECT_THAT(complaint("each,ix,1m\n"), HasSubstr("b.csv:1:1: \"ix\" means no load"));
  EXPECT_THAT(complaint("each,u_*,1m\n"), HasSubstr("\"u_*\" means no load"));
  EXPECT_THAT(complaint("each,v1,1m\n"), HasSubstr("v1 is a voltage source; a budget is of current sources"));
  EXPECT_THAT(complaint("each,net:VSS,1m\n"), HasSubstr("the netlist has no net VSS; it has p"));
  EXPECT_THAT(complaint("each,area:0:0:1:1,1m\n"),
              HasSubstr("no load lies in area:0:0:1:1; node names of this netlist"));
  EXPECT_THAT(complaint("each,area:0:0:1,1m\n"), HasSubstr("b.csv:1:6: \"area:0:0:1\": expected area:X0:Y0:X1:Y1"));
  EXPECT_THAT(complaint("each,area:2:0:1:1,1m\n"), HasSubstr("the first corner is not left of and below"));
  EXPECT_THAT(complaint("each,*,1mV\n"), HasSubstr("b.csv:1:8: expected a current like 2mA"));
  EXPECT_THAT(complaint("each,*,nan\n"), HasSubstr("expected a current like 2mA"));
  EXPECT_THAT(complaint("each,*,1e999\n"), HasSubstr("expected a current like 2mA"));
  EXPECT_THAT(complaint("total,*,1m\n"), HasSubstr("b.csv:1:1: a rule begins with 'each' or 'sum', not \"total\""));
  EXPECT_THAT(complaint("sum,*\n"), HasSubstr("b.csv:1:1: expected members and the most"));
  EXPECT_THAT(complaint("sum,*,1,1\n"), HasSubstr("b.csv:1:9: a sum has no lower bound"));
  EXPECT_THAT(complaint("each,,1m\n"), HasSubstr("b.csv:1:6: no members"));
  EXPECT_THAT(complaint("# nothing\n"), HasSubstr("b.csv: no rule in this file"));
  EXPECT_THAT(complaint("each,*,1\nsum,ia ib,1\nsum,ib ic,1\n"),
              HasSubstr("b.csv:3:1: the sum over \"ib ic\" shares loads with that over \"ia ib\" (b.csv:2:1)"));
  EXPECT_THAT(complaint("each,*,1\n", kLine, {{"zz"}}), HasSubstr("budget_node zz: the netlist has no node"));
}

TEST(Budget, LoadsThatFloatAreAnError) {
  const std::string deck = "* t\nv1 p 0 1\nr1 p a 1\nia a 0 1m\nr2 x y 1\nix x 0 0\n.end\n";
  EXPECT_THAT(error_of<GridError>([&] { Bounded(deck, "each,*,2mA\n"); }), HasSubstr("ix"));
  EXPECT_NEAR(Bounded(deck, "each,ia,2mA\n").net("p").worst.front().drop_v, 2e-3, 1e-12);
}

TEST(Budget, PadsBelowNominalCount) {
  const Bounded run("* t\nv1 p 0 1\nr1 p a 1\nr2 a q 1\nv2 q 0 0.9\nia a 0 1m\n.end\n", "each,*,2mA\n");
  EXPECT_EQ(run.worst_node("p"), "q");
  EXPECT_NEAR(run.net("p").worst.at(0).drop_v, 0.1, 1e-12);
  EXPECT_NEAR(run.net("p").worst.at(1).drop_v, 0.05 + 2e-3 * 0.5, 1e-12);
}

TEST(Budget, NodesBetweenLoadsAndResistorsToNode0CanBeTheWorst) {
  const std::string deck = "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 10m\nr2 a b 1\nr3 b 0 9\n.end\n";
  const Bounded run(deck, "each,i1,20mA\n");
  EXPECT_EQ(run.worst_node("p"), "b");
  EXPECT_NEAR(run.net("p").worst.front().drop_v, 1 - (1 - 20e-3) * 10 / 11 * 9 / 10, 1e-12);
  EXPECT_TRUE(run.net("p").is_certain);
  const std::string negative = "* t\nv1 p 0 -1\nr1 p a 1\ni1 0 a 10m\nr2 a b 1\nr3 b 0 9\n.end\n";
  EXPECT_EQ(Bounded(negative, "each,i1,20mA\n").worst_node("p"), "b");
}

TEST(Budget, NodesWithAddedPadsCanBeTheWorst) {
  const std::shared_ptr<const Design> design = design_of("* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 10m\nr2 a b 1\n.end\n");
  System system(design);
  system.apply(AddPad{"b", 0.5, 9});
  Solver solver(system, Bounded::exactly(), test::on_cpu(1));
  const IrReport deck = summarise(solver.system(), solver.solve());
  const BudgetNet net = bound_over_budget(solver, deck, read_budget_text("each,i1,20mA\n")).nets.at(0);
  EXPECT_EQ(design->circuit->node_name(net.worst.front().node), "b");
  EXPECT_TRUE(net.is_certain);
}

TEST(Budget, ACeilingThatAllowedLoadsExceedIsAnError) {
  Bounded run(kLine, "each,*,2mA\nsum,*,3mA\n");
  std::vector<BudgetNet> nets = run.budget.nets;
  nets.at(0).check_drop_v = 0;
  check_over_budget(run.solver, run.deck, nets);
  EXPECT_NEAR(nets.at(0).check_drop_v, 8e-3, 1e-12);
  nets.at(0).ceiling_v = 7.999e-3;
  EXPECT_THAT(error_of<SolverError>([&] { check_over_budget(run.solver, run.deck, nets); }),
              HasSubstr("node c drops by 0.008 V under loads that are allowed, above the ceiling 0.007999 V of net p"));
}

TEST(Budget, APadIsTheWorstWhereLoadsOnlyRaise) {
  const Bounded run("* t\nv1 p 0 1\nr1 p a 1\nr2 a b 1\ni1 a 0 -1m\n.end\n", "each,*,3mA,2mA\n");
  EXPECT_EQ(run.worst_node("p"), "p");
  EXPECT_EQ(run.net("p").worst.front().drop_v, 0);
  EXPECT_NEAR(run.net("p").worst.at(1).drop_v, -2e-3, 1e-12);
  EXPECT_TRUE(run.net("p").is_certain);
  EXPECT_GE(run.net("p").ceiling_v, 0);
  EXPECT_EQ(Bounded(kLine, "each,*,2mA\n").net("p").worst.size(), 3U) << "a pad at nominal is not listed";
}

TEST(Budget, HalvesOfPairsThatTheDeckHasAtZeroAreLoadsOfTheirOwn) {
  const std::string deck =
      "* t\nv1 p 0 1\nr1 p a 1\nv2 g 0 0\nr2 g h 1.1\nix_v a 0 0\nix_g 0 h 10m\niy_v a 0 1m\niy_g 0 h 0\n.end\n";
  const Bounded shares(deck, "each,*,200%\n");
  EXPECT_EQ(shares.budget.loads, 4);
  EXPECT_NEAR(shares.net("g").worst.front().drop_v, 22e-3, 1e-12);
  EXPECT_NEAR(shares.net("p").worst.front().drop_v, 2e-3, 1e-12);
  const Bounded amperes(deck, "each,*,0\neach,ix,5mA\neach,iy_v,3mA\n");
  EXPECT_NEAR(amperes.net("g").worst.front().drop_v, 5.5e-3, 1e-12);
  EXPECT_NEAR(amperes.net("p").worst.front().drop_v, 8e-3, 1e-12);
}

TEST(Budget, SharesOfNothingAreSaid) {
  const std::string deck = "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 0\ni2 a 0 1m\n.end\n";
  const std::string all_idle = "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 0\ni2 a 0 0\n.end\n";
  EXPECT_THAT(complaint("each,*,200%\n", all_idle), HasSubstr("b.csv:1:1: 200% of what the deck says is 0 here"));
  EXPECT_THAT(complaint("each,*,1m\nsum,*,50%\n", all_idle), HasSubstr("b.csv:2:1: 50% of what the deck says is 0"));
  const auto codes = [](const Bounded& run) {
    IrReport report = run.deck;
    report.budget = run.budget;
    std::string codes;
    for (const Finding& finding : find_idle_loads(run.solver.system(), report, run.table))
      codes += finding.code + " " + finding.place + " " + finding.message.substr(0, 26) + ";";
    return codes;
  };
  EXPECT_EQ(codes(Bounded(deck, "each,*,200%\n")), "idle-share b.csv:1:1 1 of 2 loads of this rule ;");
  EXPECT_EQ(codes(Bounded(deck, "each,*,200%\neach,i1,1mA\n")), "") << "a later rule holds";
  EXPECT_EQ(codes(Bounded(deck, "each,*,0%\neach,i1,1mA\n")), "") << "0 % is meant";
  EXPECT_EQ(codes(Bounded(deck, "sum,*,100%\n")), "fixed-budget b.csv no load may change over th;");
}

// ---- all vertices ---------------------------------------------------------------------------------------------------

/// Loads of a random grid and what they may draw: x per load, and sums over sets of loads.
struct Polytope {
  struct Sum {
    std::vector<int> members;
    std::vector<double> weight;
    double most;
  };
  std::vector<double> least, most;
  std::vector<Sum> sums;
};

/// Solves the k × k system whose rows are constraints; false where it is singular.
bool solve_dense(std::vector<std::vector<double>> a, std::vector<double> b, std::vector<double>& x) {
  const size_t n = b.size();
  for (size_t c = 0; c < n; ++c) {
    size_t pivot = c;
    for (size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    if (std::abs(a[pivot][c]) < 1e-9) return false;
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double f = a[r][c] / a[c][c];
      for (size_t k = c; k < n; ++k) a[r][k] -= f * a[c][k];
      b[r] -= f * b[c];
    }
  }
  x.resize(n);
  for (size_t c = 0; c < n; ++c) x[c] = b[c] / a[c][c];
  return true;
}

/// Every vertex: n constraints hold with equality, the others too.
std::vector<std::vector<double>> vertices(const Polytope& p) {
  const size_t n = p.least.size();
  std::vector<std::vector<double>> rows;
  std::vector<double> right;
  for (size_t j = 0; j < n; ++j)
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> row(n, 0.0);
      row[j] = sign;
      rows.push_back(row);
      right.push_back(sign > 0 ? p.most[j] : -p.least[j]);
    }
  for (const Polytope::Sum& sum : p.sums) {
    std::vector<double> row(n, 0.0);
    for (size_t k = 0; k < sum.members.size(); ++k) row[sum.members[k]] = sum.weight[k];
    rows.push_back(row);
    right.push_back(sum.most);
  }
  std::vector<std::vector<double>> found;
  std::vector<int> is_chosen(rows.size(), 0);
  std::fill(is_chosen.begin(), is_chosen.begin() + static_cast<ptrdiff_t>(n), 1);
  do {
    std::vector<std::vector<double>> a;
    std::vector<double> b, x;
    for (size_t r = 0; r < rows.size(); ++r)
      if (is_chosen[r]) {
        a.push_back(rows[r]);
        b.push_back(right[r]);
      }
    if (!solve_dense(a, b, x)) continue;
    bool is_allowed = true;
    for (size_t r = 0; r < rows.size() && is_allowed; ++r)
      is_allowed = std::inner_product(x.begin(), x.end(), rows[r].begin(), 0.0) <= right[r] + 1e-12;
    if (is_allowed) found.push_back(x);
  } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
  return found;
}

/// Two supplies and a ground net with shorts, series nodes, a voltage source within a grid, and loads of every kind.
struct RandomGrid {
  std::string deck, rules;
  Polytope allowed;
  std::vector<std::vector<std::pair<std::string, double>>>
      sources;  ///< of each load, with what an ampere draws in each

  explicit RandomGrid(unsigned seed) : random_(seed) {
    deck = "* random\nvp p 0 1.2\nvq q 0 0.8\nvg g 0 0\n";
    for (const char net : {'p', 'q', 'g'}) add_mesh(net);
    if (seed % 3 == 0) deck += "rz p0_0 pz 0\nrs1 pz ps 0.7\nrs2 ps p2_2 0.9\n";
    if (seed % 4 == 0) deck += "vo q0_1 qo 0.05\nro qo q2_0 0.6\n";
    const double supply[] = {1.2, 1.2, 0.8, 0.4, 1.2, 0.8};
    add_load("i0", at('p'), "0", 1);
    add_load("i1", at('p'), at('g'), 1);
    add_load("i2", at('q'), at('g'), 1);
    add_load("i3", at('p'), at('q'), 1);
    add_pair("i4", at('p'), at('g'));
    add_load("i5", at('q'), "0", seed % 5 == 0 ? -1 : 1);  // −1: draws the other way
    const bool is_power = seed % 2 == 1;
    add_sum({0, 1, 2, 3, 4, 5}, supply, is_power, 0.6);
    if (number(0, 1) < 0.8) add_sum({0, 1, 4}, supply, is_power, 0.6);
    if (number(0, 1) < 0.8) add_sum({1, 4}, supply, is_power, 0.7);
    if (number(0, 1) < 0.5) add_sum({2, 5}, supply, is_power, 0.5);
    add_what_leads_away(seed);
    deck += ".end\n";
  }

 private:
  /// Resistors to node 0 and pads of other voltages, at nodes without loads that lie behind those with loads.
  void add_what_leads_away(unsigned seed) {
    if (seed % 2 == 0) deck += fmt::format("ra1 {} pa {}\nra2 pa 0 {}\n", at('p'), number(0.5, 2), number(5, 300));
    if (seed % 3 == 1)
      deck += fmt::format("rb1 {} 0 {}\nrb2 {} 0 {}\n", at('q'), number(5, 300), at('g'), number(1, 9));
    if (seed % 5 < 2) deck += fmt::format("vc pc 0 {}\nrc {} pc {}\n", number(1.1, 1.2), at('p'), number(0.2, 3));
    if (seed % 10 == 8 || seed % 10 == 4)
      deck += fmt::format("vd gd 0 {}\nrd {} gd {}\n", number(-0.05, 0.05), at('g'), number(0.2, 3));
    if (seed % 7 == 0) deck += fmt::format("re {} {} {}\n", at('p'), at('q'), number(20, 99));
  }

  double number(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  std::string at(char net) { return fmt::format("{}{}_{}", net, random_() % 3, random_() % 3); }

  void add_mesh(char net) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (i < 2)
          deck += fmt::format("r{}x{}{} {}{}_{} {}{}_{} {}\n", net, i, j, net, i, j, net, i + 1, j, number(0.5, 4));
        if (j < 2)
          deck += fmt::format("r{}y{}{} {}{}_{} {}{}_{} {}\n", net, i, j, net, i, j, net, i, j + 1, number(0.5, 4));
      }
    deck += fmt::format("r{}p {} {} {}\n", net, net, at(net), number(0.1, 1));
  }

  void bound(const std::string& name) {
    const double most = std::round(number(1, 20)), least = number(0, 1) < 0.4 ? std::round(number(0, most / 3)) : 0;
    rules += fmt::format("each,{},{}mA,{}mA\n", name, most, least);
    allowed.most.push_back(1e-3 * most);
    allowed.least.push_back(1e-3 * least);
  }
  void add_load(const std::string& name, const std::string& a, const std::string& b, double sign) {
    deck += fmt::format("{} {} {} {}\n", name, a, b, sign * number(0.001, 0.01));
    sources.push_back({{name, sign}});
    bound(name);
  }
  void add_pair(const std::string& name, const std::string& power, const std::string& ground) {
    const double current = number(0.001, 0.01);
    deck += fmt::format("{}_v {} 0 {}\n{}_g 0 {} {}\n", name, power, current, name, ground, current);
    sources.push_back({{name + "_v", 1}, {name + "_g", 1}});
    bound(name);
  }
  void add_sum(const std::vector<int>& members, const double* supply, bool is_power, double share) {
    Polytope::Sum sum{members, {}, 0};
    double least = 0, most = 0;
    std::string names;
    for (const int j : members) {
      sum.weight.push_back(is_power ? supply[j] : 1);
      least += sum.weight.back() * allowed.least[j];
      most += sum.weight.back() * allowed.most[j];
      names += fmt::format("{}i{}", names.empty() ? "" : " ", j);
    }
    sum.most = least + share * number(0.3, 1) * (most - least);
    rules += fmt::format("sum,{},{:.17g}{}\n", names, sum.most, is_power ? "W" : "A");
    allowed.sums.push_back(sum);
  }
  std::mt19937 random_;
};

TEST(Budget, EqualsAllVerticesOnRandomGrids) {
  for (unsigned seed = 1; seed <= 120; ++seed) {
    const RandomGrid grid(seed);
    const std::shared_ptr<const Design> design = design_of(grid.deck);
    BudgetOptions options;
    for (NodeId n = 1; n < design->circuit->node_count(); ++n)
      options.nodes.emplace_back(design->circuit->node_name(n));
    Bounded run(design, grid.rules, options);

    const std::vector<std::vector<double>> corners = vertices(grid.allowed);
    ASSERT_FALSE(corners.empty()) << seed;
    Loads loads(design, static_cast<int64_t>(corners.size()));
    for (size_t v = 0; v < corners.size(); ++v)
      for (size_t j = 0; j < corners[v].size(); ++j)
        for (const auto& [source, factor] : grid.sources[j])
          loads.set(source, factor * corners[v][j], static_cast<int64_t>(v));
    std::vector<double> worst(options.nodes.size(), -1), of_net(run.deck.nets.size(), -1);
    for (const Answer& answer : run.solver.solve(loads))
      for (size_t k = 0; k < worst.size(); ++k) {
        const NetResult& net = run.deck.nets[run.deck.nodes.net[k + 1]];
        const double volts = answer.voltage_v[k + 1] - net.nominal_v, drop = net.is_ground       ? std::abs(volts)
                                                                             : net.nominal_v > 0 ? -volts
                                                                                                 : volts;
        worst[k] = std::max(worst[k], drop);
        double& most = of_net[run.deck.nodes.net[k + 1]];
        most = std::max(most, drop);
      }
    for (size_t k = 0; k < worst.size(); ++k) {
      const BudgetNode& node = run.budget.chosen[k];
      EXPECT_NEAR(node.drop_v, worst[k], 1e-11) << "seed " << seed << " node " << options.nodes[k];
      EXPECT_LE(node.bound_v, 1e-9);
    }
    for (const BudgetNet& net : run.budget.nets) {
      ASSERT_TRUE(net.is_certain) << seed;
      EXPECT_NEAR(net.worst.front().drop_v, of_net[net.net], 1e-11) << "seed " << seed;
      EXPECT_NEAR(net.check_drop_v, of_net[net.net], 1e-11) << "seed " << seed;
      EXPECT_GE(net.ceiling_v, of_net[net.net]);
    }
  }
}

TEST(Budget, WhatIsKnownOfSomeNodesIsAboveAllOthers) {
  double largest_share = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomGrid grid(seed);
    const std::shared_ptr<const Design> design = design_of(grid.deck);
    Solver solver(System(design), Bounded::exactly(), test::on_cpu(1));
    const IrReport deck = summarise(solver.system(), solver.solve());
    const Budget budget(solver.system(), deck.nodes.voltage_v, read_budget_text(grid.rules));
    NodeBounds bounds(solver, deck, budget);
    EXPECT_TRUE(std::isinf(bounds.response_error(0))) << "no response makes the least loads exact";
    EXPECT_GE(bounds.response_error(2e-5), bounds.response_error(1e-5));
    std::vector<NodeId> nodes;
    for (NodeId n = 1; n < design->circuit->node_count(); ++n)
      if (!bounds.is_fixed(n)) nodes.push_back(n);
    std::vector<NodeBounds::Found> all, some;
    for (const UnitResponse& response : solver.respond(nodes)) all.push_back(bounds.bounded(response));
    for (size_t k = seed % 3; k < all.size(); k += 4) some.push_back(all[k]);
    std::vector<double> before;
    for (const NodeId node : nodes) before.push_back(bounds.ceiling(node));
    bounds.tighten(solver, some);
    for (size_t k = 0; k < nodes.size(); ++k) {
      const double after = bounds.ceiling(nodes[k]) + bounds.ceiling_error();
      EXPECT_GE(after, all[k].bound.drop_v - 1e-12) << "seed " << seed << " " << design->circuit->node_name(nodes[k]);
      EXPECT_LE(after, before[k] + bounds.ceiling_error());
      if (before[k] > 0) largest_share = std::max(largest_share, 1 - after / before[k]);
    }
  }
  EXPECT_GT(largest_share, 0.1) << "ceilings hardly came down";
}

// ---- the search -----------------------------------------------------------------------------------------------------

/// A square mesh with a pad at each corner and a load at every second node; every fifth node carries a dangling one.
std::string mesh(int side) {
  std::mt19937 random(7);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  std::string deck = "* mesh\nv1 n1_m9_0_0 0 1\n";
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const auto node = [&](int x, int y) { return fmt::format("n1_m1_{}_{}", 2000 * x, 2000 * y); };
      if (i + 1 < side) deck += fmt::format("rx{}_{} {} {} {}\n", i, j, node(i, j), node(i + 1, j), number(0.5, 2));
      if (j + 1 < side) deck += fmt::format("ry{}_{} {} {} {}\n", i, j, node(i, j), node(i, j + 1), number(0.5, 2));
      if (i % (side - 1) == 0 && j % (side - 1) == 0)
        deck += fmt::format("rv{}_{} n1_m9_0_0 {} 0.1\n", i, j, node(i, j));
      if ((i + j) % 2 == 0) deck += fmt::format("i{}_{} {} 0 {}\n", i, j, node(i, j), number(1e-4, 2e-3));
      if ((i + j) % 5 == 0) deck += fmt::format("rd{}_{} {} d{}_{} 1\n", i, j, node(i, j), i, j);
    }
  return deck + ".end\n";
}

constexpr const char* kMeshRules = "each,*,300%,10%\nsum,area:0:0:11:40,70%\nsum,*,90%\n";

TEST(Budget, TheWorstNodeIsTheWorstOfAllNodes) {
  const std::shared_ptr<const Design> design = design_of(mesh(24));
  BudgetOptions options;
  for (NodeId n = 1; n < design->circuit->node_count(); ++n) options.nodes.emplace_back(design->circuit->node_name(n));
  const Bounded run(design, kMeshRules, options);
  double worst = 0;
  for (const BudgetNode& node : run.budget.chosen) worst = std::max(worst, node.drop_v);
  const BudgetNet& net = run.budget.nets.at(0);
  EXPECT_TRUE(net.is_certain);
  EXPECT_DOUBLE_EQ(net.worst.front().drop_v, worst);
  EXPECT_LT(net.solved, net.candidates);
  EXPECT_EQ(net.candidates, 24 * 24 / 2);
  EXPECT_NEAR(net.check_drop_v, worst, 1e-10);
}

TEST(Budget, ASearchThatEndsEarlySaysWhatNoNodeExceeds) {
  const Bounded whole(mesh(24), kMeshRules);
  BudgetOptions options;
  options.most_solves = 1;
  options.worst = 1;
  options.limits = {parse_limit(fmt::format("worst={}V", whole.budget.nets.at(0).worst.front().drop_v * 1.0001))};
  const Bounded run(mesh(24), kMeshRules, options);
  const BudgetNet& net = run.budget.nets.at(0);
  EXPECT_EQ(net.solved, 1);
  EXPECT_FALSE(net.is_certain);
  EXPECT_GE(net.ceiling_v, whole.budget.nets.at(0).worst.front().drop_v);
  EXPECT_TRUE(net.undecided);
  EXPECT_THAT(describe(net, run.deck), HasSubstr("after 1 solve another node may drop by"));
}

TEST(Budget, IterativeEnginesAreCertified) {
  const Bounded exact(mesh(24), kMeshRules);
  for (const double tolerance : {1e-6, 1e-10}) {  // the second takes more than responses have anyway
    SolverOptions loosely;
    loosely.engine = "aggamg";
    loosely.tolerance_v = tolerance;
    const Bounded run(mesh(24), kMeshRules, {}, loosely);
    const BudgetNode &a = exact.budget.nets.at(0).worst.front(), &b = run.budget.nets.at(0).worst.front();
    EXPECT_GT(b.bound_v, 0);
    EXPECT_LE(b.bound_v, tolerance);
    EXPECT_LE(std::abs(a.drop_v - b.drop_v), b.bound_v + a.bound_v);
    EXPECT_EQ(tolerance_miss(run.budget, loosely), "");
  }
}

TEST(Budget, IsTheSameOnAnyNumberOfThreads) {
  const auto on = [](int threads) {
    const std::shared_ptr<const Design> design = design_of(mesh(24));
    Solver solver(System(design), Bounded::exactly(), test::on_cpu(threads));
    const IrReport deck = summarise(solver.system(), solver.solve());
    return bound_over_budget(solver, deck, read_budget_text(kMeshRules)).nets.at(0);
  };
  const BudgetNet one = on(1), three = on(3);
  EXPECT_EQ(one.load_a, three.load_a);
  EXPECT_EQ(one.worst.front().drop_v, three.worst.front().drop_v);
}

// ---- ibmpg1 ---------------------------------------------------------------------------------------------------------

/// Loads that `budget` allows: vertices found by filling loads in a random order, those near a random place first, or
/// mixtures of two of them.
class RandomLoads {
 public:
  RandomLoads(const Budget& budget, const Design& design) : budget_(budget), design_(design) {}

  std::vector<double> next() {
    std::vector<double> above = vertex();
    if (random_() % 3 == 0) {
      const std::vector<double> other = vertex();
      const double share = std::uniform_real_distribution<>(0, 1)(random_);
      for (size_t j = 0; j < above.size(); ++j) above[j] = share * above[j] + (1 - share) * other[j];
    }
    return above;
  }

 private:
  std::vector<double> vertex() {
    std::vector<double> gain(budget_.loads().size());
    std::uniform_real_distribution<> one(0.5, 1);
    const NodeId centre = node_of(random_() % gain.size());
    const bool is_local = random_() % 2 == 0;
    for (size_t j = 0; j < gain.size(); ++j) {
      const NodeId node = node_of(j);
      const double x = design_.places.x_um[node] - design_.places.x_um[centre],
                   y = design_.places.y_um[node] - design_.places.y_um[centre];
      gain[j] = is_local ? one(random_) / (1 + x * x + y * y) : one(random_);
    }
    return budget_.fill(gain).above_a;
  }
  NodeId node_of(size_t load) const {
    const Sources& sources = design_.circuit->current_sources;
    const int64_t source = budget_.loads()[load].source;
    return sources.a[source] == kGround ? sources.b[source] : sources.a[source];
  }

  const Budget& budget_;
  const Design& design_;
  std::mt19937 random_{16};
};

TEST(Budget, NoAllowedLoadsOfIbmpg1DropMore) {
  GRIDIRON_DATA_OR_SKIP(path, "ibm/ibmpg1.spice.bz2");
  constexpr int64_t kVectors = 10000, kAtOnce = 250;
  const std::shared_ptr<const Design> design = make_design(std::make_shared<const Circuit>(read_netlist(path)));
  Bounded run(design, "each,*,300%,5%\nsum,*,100%\nsum,area:0:0:8:8,30%\n");
  const Budget budget(run.solver.system(), run.deck.nodes.voltage_v, run.table);
  RandomLoads random(budget, *design);
  const System& system = run.solver.system();
  std::vector<double> nearest(run.budget.nets.size(), 0.0);
  const std::unique_ptr<Engine> engine = find_engine("cholmod").make({});
  engine->setup(system.problem());
  for (int64_t first = 0; first < kVectors; first += kAtOnce) {
    Loads loads(design, kAtOnce);
    for (int64_t v = 0; v < kAtOnce; ++v) {
      const std::vector<double> amperes = budget.source_amperes(random.next());
      std::copy(amperes.begin(), amperes.end(), loads.vector(v).begin());
    }
    const int64_t rows = system.network().nodes;
    std::vector<double> injection, volts(static_cast<size_t>(rows * kAtOnce), 0.0);
    for (int64_t v = 0; v < kAtOnce; ++v) {
      const std::vector<double> of_vector = system.injection(loads, v);
      injection.insert(injection.end(), of_vector.begin(), of_vector.end());
    }
    StopRule stop;
    stop.relative_residual = 1e-10;
    system.solve(*engine, {injection.data(), rows, kAtOnce}, {volts.data(), rows, kAtOnce}, stop);
    for (int64_t v = 0; v < kAtOnce; ++v) {
      const std::vector<double> node_v =
          system.node_voltages(std::span<const double>(volts).subspan(static_cast<size_t>(v * rows), rows));
      for (size_t n = 1; n < node_v.size(); ++n) {
        const int32_t k = run.deck.nodes.net[n];
        if (k < 0) continue;
        const NetResult& net = run.deck.nets[k];
        const double drop = net.is_ground ? std::abs(node_v[n]) : net.nominal_v - node_v[n];
        nearest[k] = std::max(nearest[k], drop / run.budget.nets[k].ceiling_v);
      }
    }
  }
  for (size_t k = 0; k < nearest.size(); ++k) {
    EXPECT_TRUE(run.budget.nets[k].is_certain);
    EXPECT_LE(nearest[k], 1) << run.deck.nets[k].name;
    EXPECT_GT(nearest[k], 0.7) << "random loads come nowhere near the worst case of " << run.deck.nets[k].name;
  }
}

}  // namespace
}  // namespace gridiron
