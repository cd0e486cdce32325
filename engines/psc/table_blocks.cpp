// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/table_blocks.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {
namespace {

bool is_on_line(int64_t x, int64_t m) { return x % m == m - 1; }

/// The spacing at which a place between two crossings is new, from its distance to the one before.
int64_t spacing_of(int64_t distance) { return distance & -distance; }

bool has_conductance(const GridTables& g, int64_t x, int64_t y, int64_t l) {
  const auto at = [&](int64_t cx, int64_t cy, int64_t cl) { return (cl * g.ny + cy) * g.nx + cx; };
  const int64_t i = at(x, y, l);
  return g.gh[i] > 0 || g.gv[i] > 0 || g.gz[i] > 0 || g.via[i] > 0 || (x > 0 && g.gh[at(x - 1, y, l)] > 0) ||
         (y > 0 && g.gv[at(x, y - 1, l)] > 0) || (l > 0 && g.via[at(x, y, l - 1)] > 0);
}

class Cutter {
 public:
  Cutter(const std::vector<GridTables>& grids, int64_t m) : m_(m) {
    out_.m = m;
    for (const GridTables& g : grids) out_.layers = std::max<int64_t>(out_.layers, g.layers);
    out_.interior = (m - 1) * (m - 1) * out_.layers;
    out_.edge = 4 * (m - 1) * out_.layers;
    for (const bool is_coarse : {true, false})
      for (size_t g = 0, first = 0; g < grids.size(); first += grids[g++].cells())
        number_nodes(grids[g], static_cast<int64_t>(first), is_coarse);
    for (size_t g = 0, first = 0; g < grids.size(); first += grids[g++].cells()) {
      add_blocks(grids[g], static_cast<int64_t>(first));
      out_.entries = static_cast<int64_t>(first) + grids[g].cells();
    }
    find_blocks_of_nodes();
    find_levels(grids);
    find_colours(grids);
  }
  TableBlocks take() { return std::move(out_); }

 private:
  /// Calls f(entry, x, y, layer, on a line of blocks along x, along y) for every cell in use.
  void for_cells(const GridTables& g, int64_t first, auto f) const {
    for (int64_t l = 0; l < g.layers; ++l)
      for (int64_t y = 0; y < g.used_ny; ++y)
        for (int64_t x = 0; x < g.used_nx; ++x)
          f(first + (l * g.ny + y) * g.nx + x, x, y, l, is_on_line(x, m_), is_on_line(y, m_));
  }

  void number_nodes(const GridTables& g, int64_t first, bool coarse) {
    for_cells(g, first, [&](int64_t entry, int64_t x, int64_t y, int64_t l, bool on_x, bool on_y) {
      if (coarse ? !(on_x && on_y) : on_x == on_y) return;
      if (!has_conductance(g, x, y, l)) return;
      node_of_[entry] = static_cast<int32_t>(out_.nodes++);
      out_.entry_of_node.push_back(static_cast<int32_t>(entry));
      out_.coarse += coarse;
    });
  }
  int32_t node(int64_t entry) const {
    const auto at = node_of_.find(entry);
    return at == node_of_.end() ? -1 : at->second;
  }

  void add_blocks(const GridTables& g, int64_t first) {
    const auto entry = [&](int64_t x, int64_t y, int64_t l) { return first + (l * g.ny + y) * g.nx + x; };
    const int64_t side = m_ - 1;
    for (int64_t by = 0; by * m_ < g.used_ny; ++by)
      for (int64_t bx = 0; bx * m_ < g.used_nx; ++bx) {
        std::vector<int32_t> inside(out_.interior, -1);
        bool has_cells = false;
        for (int64_t l = 0; l < g.layers; ++l)
          for (int64_t y = 0; y < side; ++y)
            for (int64_t x = 0; x < side; ++x) {
              const int64_t cx = bx * m_ + x, cy = by * m_ + y;
              if (cx >= g.used_nx || cy >= g.used_ny || !has_conductance(g, cx, cy, l)) continue;
              inside[(l * side + y) * side + x] = static_cast<int32_t>(entry(cx, cy, l));
              has_cells = true;
            }
        if (!has_cells) continue;
        append(out_.interior_entry, inside);
        std::vector<int32_t> around(out_.edge, -1);
        for (int s = 0; s < 4; ++s)
          for (int64_t l = 0; l < g.layers; ++l)
            for (int64_t t = 0; t < side; ++t) {
              const int64_t cx = bx * m_ + (s == 0 ? -1 : s == 1 ? side : t);
              const int64_t cy = by * m_ + (s == 2 ? -1 : s == 3 ? side : t);
              if (cx < 0 || cy < 0 || cx >= g.used_nx || cy >= g.used_ny) continue;
              around[(s * out_.layers + l) * side + t] = node(entry(cx, cy, l));
            }
        append(out_.edge_node, around);
        ++out_.blocks;
      }
  }

  void find_blocks_of_nodes() {
    out_.blocks_of_node.assign(2 * out_.nodes, -1);
    for (int64_t i = 0; i < out_.blocks * out_.edge; ++i)
      if (const int32_t to = out_.edge_node[i]; to >= 0) {
        int32_t* const slot = &out_.blocks_of_node[2 * to];
        (slot[0] < 0 ? slot[0] : slot[1]) = static_cast<int32_t>(i);
      }
  }

  /// Calls f(node, grid, x, y, layer, strides along and count of its line, place on it) for every node of E.
  void for_edge_nodes(const std::vector<GridTables>& grids, auto f) const {
    int64_t first = 0;
    for (const GridTables& g : grids) {
      for_cells(g, first, [&](int64_t entry, int64_t x, int64_t y, int64_t l, bool on_x, bool on_y) {
        const int32_t here = on_x != on_y ? node(entry) : -1;
        if (here < 0) return;
        on_x ? f(here, entry, x, y, l, int64_t{g.nx}, y, int64_t{g.used_ny})
             : f(here, entry, x, y, l, int64_t{1}, x, int64_t{g.used_nx});
      });
      first += g.cells();
    }
  }

  void find_levels(const std::vector<GridTables>& grids) {
    for (int64_t s = m_ / 2; s >= 1; s /= 2) {
      TableBlocks::Level level;
      std::vector<std::map<int32_t, double>> children(out_.nodes);
      for_edge_nodes(grids,
                     [&](int32_t here, int64_t entry, auto, auto, auto, int64_t stride, int64_t place, int64_t count) {
                       if (spacing_of((place + 1) % m_) != s) return;
                       std::vector<int32_t> parents;
                       for (const int64_t step : {-s, s}) {
                         if (place + step < 0 || place + step >= count) continue;
                         if (const int32_t parent = node(entry + step * stride); parent >= 0) parents.push_back(parent);
                       }
                       const int32_t number = level.node.size();
                       level.node.push_back(here);
                       for (const int32_t parent : parents) {
                         const double weight = 1.0 / parents.size();
                         level.parents.add(parent, weight);
                         children[parent][number] = weight;
                       }
                       level.parents.end_row();
                     });
      for (const auto& row : children) {
        for (const auto& [child, weight] : row) level.children.add(child, weight);
        level.children.end_row();
      }
      out_.levels.push_back(std::move(level));
    }
  }

  void find_colours(const std::vector<GridTables>& grids) {
    std::map<std::array<int64_t, 3>, std::vector<int32_t>> coarse;
    int64_t first = 0;
    for (const GridTables& g : grids) {
      for (int64_t l = 0; l < g.layers; ++l)
        for (int64_t y = m_ - 1; y < g.used_ny; y += m_)
          for (int64_t x = m_ - 1; x < g.used_nx; x += m_)
            if (const int32_t here = node(first + (l * g.ny + y) * g.nx + x); here >= 0)
              coarse[{x / m_ % 3, y / m_ % 3, l}].push_back(here);
      first += g.cells();
    }
    for (auto& [colour, nodes] : coarse) out_.coarse_colours.push_back(std::move(nodes));
    std::map<std::array<int64_t, 4>, std::vector<int32_t>> edge;
    for_edge_nodes(grids, [&](int32_t here, auto, int64_t x, int64_t y, int64_t l, int64_t, int64_t place, auto) {
      const bool runs_up = is_on_line(x, m_);
      edge[{runs_up, (runs_up ? x : y) / m_ % 2, place % m_, l}].push_back(here);
    });
    for (auto& [colour, nodes] : edge) out_.edge_colours.push_back(std::move(nodes));
  }

  int64_t m_;
  TableBlocks out_;
  std::map<int64_t, int32_t> node_of_;  ///< entry → node
};

}  // namespace

TableBlocks cut_tables(const std::vector<GridTables>& grids, int64_t m) { return Cutter(grids, m).take(); }

}  // namespace gridiron::psc
