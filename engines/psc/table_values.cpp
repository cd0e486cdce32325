// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "engines/psc/dense.hpp"
#include "engines/psc/table_blocks.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {

TableValues::TableValues(const TableBlocks& blocks, const std::vector<GridTables>& grids)
    : blocks_(blocks), grids_(grids) {
  first_.push_back(0);
  for (const GridTables& g : grids) first_.push_back(first_.back() + g.cells());
  place_of_entry_.assign(blocks.entries, 0);
  for (int64_t i = 0; i < blocks.blocks * blocks.interior; ++i)
    if (const int32_t entry = blocks.interior_entry[i]; entry >= 0)
      place_of_entry_[entry] = static_cast<int32_t>(i % blocks.interior);
  for (int64_t node = 0; node < blocks.nodes; ++node)
    place_of_entry_[blocks.entry_of_node[node]] = static_cast<int32_t>(-1 - node);
  std::vector<Neighbour> neighbours;
  for (int64_t node = 0; node < blocks.nodes; ++node)
    edge_scale_.push_back(1 / std::sqrt(row_of(blocks.entry_of_node[node], neighbours)));
  for (int64_t node = 0; node < blocks.nodes; ++node) {
    row_of(blocks.entry_of_node[node], neighbours);
    couplings_.add(static_cast<int32_t>(node), 1);
    for (const Neighbour& n : neighbours)
      if (const int32_t place = place_of_entry_[n.entry]; place < 0)
        couplings_.add(-1 - place, -n.conductance * edge_scale_[node] * edge_scale_[-1 - place]);
    couplings_.end_row();
  }
}

double TableValues::row_of(int64_t entry, std::vector<Neighbour>& neighbours) const {
  const auto grid = std::ranges::upper_bound(first_, entry) - first_.begin() - 1;
  const GridTables& g = grids_[grid];
  const int64_t at = entry - first_[grid], plane = g.plane();
  const int64_t x = at % g.nx, y = at / g.nx % g.ny, l = at / plane;
  neighbours.clear();
  double diagonal = g.gz[at];
  const auto add = [&](bool there, int64_t step, double conductance) {
    if (!there || !(conductance > 0)) return;
    neighbours.push_back({entry + step, conductance});
    diagonal += conductance;
  };
  add(x + 1 < g.nx, 1, g.gh[at]);
  add(x > 0, -1, x > 0 ? g.gh[at - 1] : 0);
  add(y + 1 < g.ny, g.nx, g.gv[at]);
  add(y > 0, -g.nx, y > 0 ? g.gv[at - g.nx] : 0);
  add(l + 1 < g.layers, plane, g.via[at]);
  add(l > 0, -plane, l > 0 ? g.via[at - plane] : 0);
  return diagonal;
}

CondensedBlock TableValues::condense(int64_t block) const {
  const int64_t ni = blocks_.interior, ne = blocks_.edge;
  CondensedBlock out;
  out.interior_scale.assign(ni, 1.0);
  out.inverse.assign(ni * ni, 0.0);
  out.transfer.assign(ni * ne, 0.0);
  out.schur.assign(ne * ne, 0.0);
  std::vector<std::vector<Neighbour>> rows(ni);
  for (int64_t i = 0; i < ni; ++i) {
    out.inverse[i * ni + i] = 1;
    if (const int32_t entry = blocks_.interior_entry[block * ni + i]; entry >= 0)
      out.interior_scale[i] = 1 / std::sqrt(row_of(entry, rows[i]));
  }
  std::vector<double> coupling(out.transfer.size(), 0.0);  // Dᵀ
  std::vector<std::pair<int32_t, int32_t>> place_of_node;
  for (int64_t e = 0; e < ne; ++e)
    if (const int32_t node = blocks_.edge_node[block * ne + e]; node >= 0)
      place_of_node.emplace_back(node, static_cast<int32_t>(e));
  std::ranges::sort(place_of_node);
  for (int64_t i = 0; i < ni; ++i)
    for (const Neighbour& n : rows[i]) {
      const int32_t place = place_of_entry_[n.entry];
      if (place >= 0) {
        out.inverse[place * ni + i] = -n.conductance * out.interior_scale[i] * out.interior_scale[place];
      } else {
        const auto at = std::ranges::lower_bound(place_of_node, -1 - place, {}, &std::pair<int32_t, int32_t>::first);
        coupling[at->second * ni + i] = -n.conductance * out.interior_scale[i] * edge_scale_[-1 - place];
      }
    }
  invert_spd(ni, out.inverse.data(), "a block of the regular grid");
  add_product({ni, ne, ni}, 1, out.inverse.data(), ni, coupling.data(), ni, out.transfer.data(), ni);
  add_product({ne, ne, ni, true}, 1, coupling.data(), ni, out.transfer.data(), ni, out.schur.data(), ne);
  return out;
}

bool TableValues::are_alike(int64_t block, int64_t other, double tolerance) const {
  const int64_t ni = blocks_.interior;
  std::vector<Neighbour> a, b;
  const auto is_near = [tolerance](double p, double q) { return std::abs(p - q) <= tolerance * std::max(p, q); };
  for (int64_t i = 0; i < ni; ++i) {
    const int32_t p = blocks_.interior_entry[block * ni + i], q = blocks_.interior_entry[other * ni + i];
    if ((p < 0) != (q < 0)) return false;
    if (p < 0) continue;
    if (!is_near(row_of(p, a), row_of(q, b)) || a.size() != b.size()) return false;
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k].entry - p != b[k].entry - q || !is_near(a[k].conductance, b[k].conductance)) return false;
  }
  // The scales of the edges are in the matrices too.
  for (int64_t e = 0; e < blocks_.edge; ++e) {
    const int32_t p = blocks_.edge_node[block * blocks_.edge + e], q = blocks_.edge_node[other * blocks_.edge + e];
    if ((p < 0) != (q < 0) || (p >= 0 && !is_near(edge_scale_[p], edge_scale_[q]))) return false;
  }
  return true;
}

void SkeletonOperator::multiply(const double* x, double* y) const {
  const int64_t ne = blocks_.edge;
  std::vector<double> of_edge(blocks_.blocks * ne, 0.0);
  parallel_each(
      blocks_.blocks,
      [&](int64_t b) {
        for (int64_t q = 0; q < ne; ++q) {
          const int32_t node = blocks_.edge_node[b * ne + q];
          if (node < 0 || x[node] == 0) continue;
          const double value = x[node];
          const double* const column = schur_[b] + q * ne;
          for (int64_t p = 0; p < ne; ++p) of_edge[b * ne + p] += column[p] * value;
        }
      },
      16);
  const Prehandled::Sparse& a = values_.couplings();
  parallel_each(blocks_.nodes, [&](int64_t i) {
    double sum = 0;
    for (int32_t k = a.begin[i]; k < a.begin[i + 1]; ++k) sum += a.value[k] * x[a.column[k]];
    for (int slot = 0; slot < 2; ++slot)
      if (const int32_t at = blocks_.blocks_of_node[2 * i + slot]; at >= 0) sum -= of_edge[at];
    y[i] = sum;
  });
}

// The basis interpolates potentials, and nodes are scaled by the roots of their diagonals.
void SkeletonOperator::to_nodal(double* x) const {
  const std::vector<double>& scale = values_.edge_scale();
  for (const TableBlocks::Level& level : blocks_.levels)
    level.for_each_parent([&](int32_t node, int32_t parent, double weight) {
      x[node] += weight * x[parent] * scale[parent] / scale[node];
    });
}
void SkeletonOperator::to_hierarchical(double* x) const {
  const std::vector<double>& scale = values_.edge_scale();
  for (auto level = blocks_.levels.rbegin(); level != blocks_.levels.rend(); ++level)
    level->for_each_parent([&](int32_t node, int32_t parent, double weight) {
      x[parent] += weight * x[node] * scale[parent] / scale[node];
    });
}

std::vector<double> SkeletonOperator::dense() const {
  const int64_t n = blocks_.nodes;
  std::vector<double> a(n * n);
  parallel_each(
      n,
      [&](int64_t j) {
        double* const column = a.data() + j * n;
        std::vector<double> unit(n, 0.0);
        unit[j] = 1;
        to_nodal(unit.data());
        // Only the blocks at the basis function's nodes have a part.
        const Prehandled::Sparse& c = values_.couplings();
        for (int64_t i = 0; i < n; ++i) {
          if (unit[i] == 0) continue;
          for (int32_t k = c.begin[i]; k < c.begin[i + 1]; ++k) column[c.column[k]] += c.value[k] * unit[i];
          for (int slot = 0; slot < 2; ++slot) {
            const int64_t at = blocks_.blocks_of_node[2 * i + slot];
            if (at < 0) continue;
            const int64_t block = at / blocks_.edge;
            const double* const schur = schur_[block] + at % blocks_.edge * blocks_.edge;
            for (int64_t p = 0; p < blocks_.edge; ++p)
              if (const int32_t to = blocks_.edge_node[block * blocks_.edge + p]; to >= 0)
                column[to] -= schur[p] * unit[i];
          }
        }
        to_hierarchical(column);
      },
      32);
  return a;
}

std::vector<std::vector<int32_t>> SkeletonOperator::coarse_neighbours() const {
  using Lists = std::vector<std::vector<int32_t>>;
  const auto add_once = [](std::vector<int32_t>& list, int32_t node) {
    if (std::ranges::find(list, node) == list.end()) list.push_back(node);
  };
  Lists reached(blocks_.nodes);  // per node: those of C that its sides lead to
  for (int64_t i = 0; i < blocks_.coarse; ++i) reached[i] = {static_cast<int32_t>(i)};
  for (const TableBlocks::Level& level : blocks_.levels)
    level.for_each_parent([&](int32_t node, int32_t parent, double) {
      for (const int32_t c : reached[parent]) add_once(reached[node], c);
    });

  Lists near(blocks_.coarse);
  for (int64_t b = 0; b < blocks_.blocks; ++b) {
    std::vector<int32_t> corners;
    for (int64_t e = 0; e < blocks_.edge; ++e)
      if (const int32_t node = blocks_.edge_node[b * blocks_.edge + e]; node >= 0)
        for (const int32_t c : reached[node]) add_once(corners, c);
    for (const int32_t p : corners)
      for (const int32_t q : corners) add_once(near[p], q);
  }
  // Along and across the lines, couplings of the tables join nodes with different parents.
  const Prehandled::Sparse& a = values_.couplings();
  for (int64_t i = 0; i < blocks_.nodes; ++i)
    for (int32_t k = a.begin[i]; k < a.begin[i + 1]; ++k)
      for (const int32_t p : reached[i])
        for (const int32_t q : reached[a.column[k]]) add_once(near[p], q);
  return near;
}

Skeleton SkeletonOperator::prepare(bool wants_eigenvalues) const {
  const int64_t n = blocks_.nodes, nc = blocks_.coarse;
  Skeleton out;
  out.coarse_inverse.assign(nc * nc, 0.0);
  out.node_scale.assign(n, 1.0);
  std::vector<double> x(n), y(x);
  const auto probe = [&](const std::vector<int32_t>& nodes) {
    std::ranges::fill(x, 0.0);
    for (const int32_t node : nodes) x[node] = 1;
    to_nodal(x.data());
    multiply(x.data(), y.data());
    to_hierarchical(y.data());
  };
  const std::vector<std::vector<int32_t>> near = coarse_neighbours();
  std::vector<int32_t> colour_of(nc, -1);
  for (size_t c = 0; c < blocks_.coarse_colours.size(); ++c) {
    const int32_t colour = c;
    for (const int32_t node : blocks_.coarse_colours[c]) colour_of[node] = colour;
    probe(blocks_.coarse_colours[c]);
    for (int64_t p = 0; p < nc; ++p)
      for (const int32_t q : near[p])
        if (colour_of[q] == colour) out.coarse_inverse[q * nc + p] = y[p];
  }
  if (nc > 0) {
    factor_spd(nc, out.coarse_inverse.data(), "the coarse regular grid");
    invert_lower(nc, out.coarse_inverse.data());
  }
  for (const auto& colour : blocks_.edge_colours) {
    probe(colour);
    for (const int32_t node : colour) out.node_scale[node] = 1 / std::sqrt(std::max(y[node], 1e-12));
  }
  if (wants_eigenvalues) estimate_eigenvalues(out);
  return out;
}

void SkeletonOperator::estimate_eigenvalues(Skeleton& skeleton) const {
  const int64_t n = blocks_.nodes, nc = blocks_.coarse;
  std::vector<double> v(n);
  // L_c⁻¹ x or L_c⁻ᵀ x on C and the scales on E, from one vector to another or in place.
  const auto scale = [&](bool transpose, const double* from, double* to) {
    std::vector<double> coarse(nc, 0.0);
    if (nc > 0) add_product({nc, 1, nc, transpose}, 1, skeleton.coarse_inverse.data(), nc, from, nc, coarse.data(), nc);
    std::ranges::copy(coarse, to);
    for (int64_t i = nc; i < n; ++i) to[i] = from[i] * skeleton.node_scale[i];
  };
  const Extremes extremes = extreme_eigenvalues(
      n,
      [&](const double* in, double* to) {
        scale(true, in, v.data());
        to_nodal(v.data());
        multiply(v.data(), to);
        to_hierarchical(to);
        scale(false, to, to);
      },
      40);
  skeleton.least = extremes.least;
  skeleton.largest = extremes.largest;
}

}  // namespace gridiron::psc
