// SPDX-License-Identifier: Apache-2.0
#pragma once

// regularize_on() against regularize(), for every device. Functions, not tests: see device_checks.hpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engines/hybrid/regularize_on.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron::test {

/// Entries are sums of positive numbers, so the order of summation affects only the last bits.
inline void expect_near(const std::vector<double>& got, const std::vector<double>& expected, const std::string& table) {
  ASSERT_EQ(got.size(), expected.size()) << table;
  for (size_t c = 0; c < expected.size(); ++c)
    ASSERT_NEAR(got[c], expected[c], 1e-14 * expected[c]) << table << ", cell " << c;
}

/// The same cells, the same cells of nodes, and the same tables up to rounding.
template <class D>
void regularizes_like_the_host(const Problem& problem, const RegularizeOptions& options) {
  const auto& [network, geometry] = std::get<PowerGrid>(problem.structure);
  const Regularization expected = regularize(*network, geometry, options);
  const RegularizationOn<D> got =
      regularize_on<D>(CsrOn<D>(problem.matrix), *network, geometry, GeometryOn<D>(geometry), options);
  EXPECT_EQ(got.first_cell, expected.first_cell);
  EXPECT_EQ(got.cell_of_node.to_host(), expected.cell_of_node);
  const std::vector<GridTables> tables = tables_to_host<D>(got.grids());
  ASSERT_EQ(tables.size(), expected.grids.size());
  for (size_t g = 0; g < tables.size(); ++g) {
    const GridTables &t = tables[g], &e = expected.grids[g];
    EXPECT_EQ(std::vector({t.net, t.layers, t.nx, t.ny, t.used_nx, t.used_ny}),
              std::vector({e.net, e.layers, e.nx, e.ny, e.used_nx, e.used_ny}));
    EXPECT_EQ(std::vector({t.x0_um, t.y0_um, t.pitch_x_um, t.pitch_y_um}),
              std::vector({e.x0_um, e.y0_um, e.pitch_x_um, e.pitch_y_um}));
    expect_near(t.gh, e.gh, "gh");
    expect_near(t.gv, e.gv, "gv");
    expect_near(t.via, e.via, "via");
    expect_near(t.gz, e.gz, "gz");
  }
}

/// Nodes anywhere on layers −1 … 3 of some nets, many of them at the same location; wires of any length, some between
/// nets.
inline std::unique_ptr<Deck> scattered_deck(int32_t nodes, int32_t nets, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int32_t n) { return static_cast<int32_t>(random() % static_cast<unsigned>(n)); };
  const auto siemens = [&] { return std::pow(10.0, 4 * (random() / 4294967296.0) - 2); };
  auto deck = std::make_unique<Deck>();
  for (int32_t i = 0; i < nodes; ++i)
    deck->node(0.25 * below(400) - 30, 1.5 * below(30), below(5) - 1, below(nets), below(10) == 0 ? siemens() : 0);
  for (int32_t i = 1; i < nodes; ++i) deck->wire(i, std::max(0, i - 1 - below(40)), siemens());
  for (int32_t k = 0; k < nodes; ++k) {
    const int32_t a = below(nodes), b = below(nodes);
    if (a != b) deck->wire(a, b, siemens());
  }
  deck->finish();
  return deck;
}

/// All shapes that a grid can have, on one plane and layered.
template <class D>
void regularizes_decks_like_the_host() {
  std::vector<std::pair<std::string, std::unique_ptr<Deck>>> decks;
  const auto add = [&](const char* name) -> Deck& {
    return *decks.emplace_back(name, std::make_unique<Deck>()).second;
  };
  add("nothing").finish();
  {
    Deck& deck = add("one node");
    deck.node(1, 2, 3, 0, 4.0);
    deck.finish();
  }
  {
    Deck& deck = add("one place");
    for (int32_t i = 0; i < 40; ++i) deck.node(7, -7, i % 3, 0, i == 0 ? 1 : 0);
    for (int32_t i = 1; i < 40; ++i) deck.wire(i, i / 2, 1.0 + i);
    deck.finish();
  }
  {
    Deck& deck = add("long wires along a row");
    for (int32_t i = 0; i < 300; ++i) deck.node(i, 0, 0, 0, i % 50 == 0 ? 0.5 : 0);
    for (int32_t i = 1; i < 300; ++i) deck.wire(i, i * 7 % i, 1.0 / i);
    for (int32_t i = 0; i < 150; ++i) deck.wire(i, 299 - i, 0.1 + i);
    deck.finish();
  }
  {
    Deck& deck = add("a column far away");
    for (int32_t i = 0; i < 65; ++i) deck.node(1e9, -1e9 + 0.125 * i, -1, 0, i == 3 ? 1 : 0);
    for (int32_t i = 1; i < 65; ++i) deck.wire(i, i - 1, i);
    deck.finish();
  }
  {
    Deck& deck = add("minus zero");
    deck.node(0.0, -0.0, 0, 0, 1);
    deck.node(-0.0, 0.0, 0, 0);
    deck.node(3, 0.0, 0, 0);
    deck.wire(0, 1, 1);
    deck.wire(1, 2, 1);
    deck.finish();
  }
  add_mesh(add("mesh"), 33, 17, 0.3, 0);
  decks.back().second->finish();
  {
    Deck& deck = add("forty nets with gaps between their numbers");
    for (int32_t net = 0; net < 40; ++net) add_mesh(deck, 2 + net % 5, 1 + net % 4, 1 + net, 3 * net - 1, 0.5 * net);
    for (int32_t net = 1; net < 40; ++net) deck.wire(0, 7 * net, 0.01 * net);
    deck.finish();
  }
  for (unsigned seed = 0; seed < 4; ++seed)
    decks.emplace_back("scattered", scattered_deck(600, 1 + static_cast<int32_t>(seed), seed));

  for (const auto& [name, deck] : decks)
    for (const bool single_plane : {false, true})
      for (const double grid_scale : {0.3, 1.5})
        for (const int tile : {1, 8}) {
          SCOPED_TRACE(name + (single_plane ? ", one plane" : ", layered"));
          regularizes_like_the_host<D>(deck->problem,
                                       {.grid_scale = grid_scale, .single_plane = single_plane, .tile = tile});
        }
}

/// More nodes than a block, and many pieces of a survey.
template <class D>
void regularizes_large_decks_like_the_host() {
  const auto deck = scattered_deck(20'000, 3, 7);
  for (const bool single_plane : {false, true})
    regularizes_like_the_host<D>(deck->problem, {.grid_scale = 1.5, .single_plane = single_plane, .tile = 1});
}

/// Nodes processed in batches give bitwise the same stamps as all at once.
template <class D>
void stamps_in_turns_are_the_same() {
  const auto deck = scattered_deck(500, 1, 3);
  const Geometry& geometry = std::get<PowerGrid>(deck->problem.structure).geometry;
  const Regularization regular = regularize(deck->network, geometry, {.tile = 1});
  const GridTables& grid = regular.grids.at(0);
  std::vector<CellPlace> places;
  for (const int64_t c : regular.cell_of_node)
    places.push_back({0, static_cast<int32_t>(c / grid.plane()), static_cast<int32_t>(c / grid.nx % grid.ny),
                      static_cast<int32_t>(c % grid.nx)});
  const CsrOn<D> matrix(deck->problem.matrix);
  const Array<D, double> pad(deck->network.pad);
  const Array<D, CellPlace> place(places);
  const Array<D, CellGrid> shape(std::vector<CellGrid>{grid});
  const Array<D, int64_t> first_cell(regular.first_cell);
  const Stamps<D> stamps{matrix.view(), pad.view(), place.view(), shape.view(), first_cell.view(), grid.cells(), 3};
  const std::vector<double> at_once = sums_of<D>(stamps, 500).to_host();
  EXPECT_GT(*std::max_element(at_once.begin(), at_once.end()), 0);
  for (const int64_t most : {1, 30, 1000}) EXPECT_EQ(sums_of<D>(stamps, 500, most).to_host(), at_once) << most;
}

}  // namespace gridiron::test
