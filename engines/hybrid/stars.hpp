// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "linalg/csr_on.hpp"

namespace gridiron {

/// Finds stars: hubs with nodes that are coupled to them far more strongly than to anything else, such as a pin that a
/// layout tool ties to several points of its rail by resistors of a milliohm. A line connects at most two nodes of such
/// a star to its hub, so smoothing hardly changes the common voltage of the others; each star is therefore contracted
/// to one node.
///
/// A satellite has one coupling, or two of about equal strength, 30 times as strong as all others and its pad together.
/// (A satellite with no other coupling needs no special treatment: it follows its host.) A node with at least three
/// satellites is a hub. Wire nodes have at most two satellites, and mesh nodes have more than two strong couplings, so
/// neither forms hubs. A satellite of two hubs joins one of them; the coupling between their stars is then left to the
/// lines of the contracted grid.
template <class D>
class Stars {
 public:
  Stars() = default;
  explicit Stars(const CsrOn<D>& matrix) {
    find_satellites(matrix);
    if (find_hubs(matrix) > 0) {
      find_hosts(matrix);
      number_clusters();
    }
    strong_ = {};
    is_hub_ = {};
    host_ = {};
  }

  /// Whether there is none; what follows is empty then.
  bool empty() const { return leader_.empty(); }
  /// The unknown that represents each cluster, ascending: hubs represent their stars, all others except satellites
  /// themselves.
  const Array<D, int32_t>& leader() const { return leader_; }
  const Array<D, int64_t>& cluster_of_unknown() const { return cluster_; }

  // Public, as nvcc takes no kernels from constructors and private functions.

  void find_satellites(const CsrOn<D>& matrix) {
    const CsrView<D> a = matrix.view();
    strong_ = Array<D, double>(a.rows);
    const auto strong = strong_.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          double strongest = 0;
          for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
            if (a.col[k] != i && -a.value[k] > strongest) strongest = -a.value[k];
          int hosts = 0, others = 0;
          double rest = 0;  // the diagonal without the couplings to hosts
          for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
            const bool is_strong = -a.value[k] >= kEqual * strongest;
            if (a.col[k] == i || is_strong) rest += a.value[k];
            if (a.col[k] != i) ++(is_strong ? hosts : others);
          }
          const bool is_satellite = hosts <= kMostHosts && others > 0 && strongest > kFarStronger * rest;
          strong[i] = is_satellite ? kEqual * strongest : std::numeric_limits<double>::infinity();
        });
  }

  /// Returns how many there are.
  int64_t find_hubs(const CsrOn<D>& matrix) {
    const CsrView<D> a = matrix.view();
    const View<D, const double> strong = strong_.view();
    is_hub_ = Array<D, int32_t>(a.rows);
    const auto is_hub = is_hub_.view();
    return static_cast<int64_t>(D::template sum<1>(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          int satellites = 0;
          for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
            satellites += a.col[k] != i && -a.value[k] >= strong[a.col[k]];
          is_hub[i] = satellites >= kFewestSatellites;
          return Sums<1>{{is_hub[i] ? 1.0 : 0.0}};
        })[0]);
  }

  /// For each node the hub whose star it joins, or itself. A hub joins no other star.
  void find_hosts(const CsrOn<D>& matrix) {
    const CsrView<D> a = matrix.view();
    const View<D, const double> strong = strong_.view();
    const View<D, const int32_t> is_hub = is_hub_.view();
    host_ = Array<D, int32_t>(a.rows);
    const auto host = host_.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          host[i] = static_cast<int32_t>(i);
          if (is_hub[i]) return;
          double strongest = 0;
          for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
            const int32_t j = a.col[k];
            if (j == i || !is_hub[j] || -a.value[k] < strong[i] || -a.value[k] <= strongest) continue;
            strongest = -a.value[k];
            host[i] = j;
          }
        });
  }

  void number_clusters() {
    const int64_t n = host_.size();
    const View<D, const int32_t> host = host_.view();
    Array<D, int32_t> leads_array(n), number_array(n + 1);
    const auto leads = leads_array.view(), number = number_array.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { leads[i] = host[i] == i; });
    leader_ = Array<D, int32_t>(D::exclusive_scan(leads, number));
    cluster_ = Array<D, int64_t>(n);
    const auto leader = leader_.view();
    const auto cluster = cluster_.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) {
          cluster[i] = number[host[i]];
          if (leads[i]) leader[number[i]] = static_cast<int32_t>(i);
        });
  }

 private:
  static constexpr double kFarStronger = 30, kEqual = 0.5;
  static constexpr int kMostHosts = 2, kFewestSatellites = 3;

  Array<D, double> strong_;  ///< of satellites: couplings to hosts are at least as strong, S; ∞ of other nodes
  Array<D, int32_t> is_hub_, host_, leader_;
  Array<D, int64_t> cluster_;
};

}  // namespace gridiron
