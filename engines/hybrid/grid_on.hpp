// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "device/cpu_device.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// A regular grid whose tables (see GridTables) are on device D. A view: it does not own them.
template <class D>
struct GridOn : CellGrid {
  View<D, const double> gh, gv, via, gz;
};

inline std::vector<GridOn<CpuDevice>> grids_on_host(const std::vector<GridTables>& tables) {
  const auto view = [](const std::vector<double>& table) { return CpuDevice::view(table.data(), std::ssize(table)); };
  std::vector<GridOn<CpuDevice>> grids;
  grids.reserve(tables.size());
  for (const GridTables& t : tables) grids.push_back({t, view(t.gh), view(t.gv), view(t.via), view(t.gz)});
  return grids;
}

/// The tables as plain vectors, without metals and injections.
template <class D>
std::vector<GridTables> tables_to_host(const std::vector<GridOn<D>>& grids) {
  const auto copy = [](View<D, const double> table) {
    std::vector<double> host(table.size());
    if (!host.empty()) D::copy_to_host(host.data(), table.data(), table.size());
    return host;
  };
  std::vector<GridTables> tables;
  tables.reserve(grids.size());
  for (const GridOn<D>& g : grids) tables.push_back({g, {}, copy(g.gh), copy(g.gv), copy(g.via), copy(g.gz), {}});
  return tables;
}

/// Copies of host grids on device D; must not outlive them.
template <class D>
class UploadedGrids {
 public:
  explicit UploadedGrids(const std::vector<GridOn<CpuDevice>>& grids) {
    for (const GridOn<CpuDevice>& g : grids)
      grids_.push_back({g, upload(g.gh), upload(g.gv), upload(g.via), upload(g.gz)});
  }
  const std::vector<GridOn<D>>& grids() const { return grids_; }

 private:
  View<D, const double> upload(View<CpuDevice, const double> table) {
    return tables_.emplace_back(std::span(table.data(), table.size())).view();
  }

  std::vector<Upload<D, double>> tables_;
  std::vector<GridOn<D>> grids_;
};

}  // namespace gridiron
