// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/solve/device_vectors.hpp"
#include "analysis/solve/elimination_on.hpp"
#include "device/fold.hpp"
#include "support/error.hpp"

namespace gridiron {

/// The rows of a merged network on device D, as ErrorBound sums them: edge by edge.
template <class D>
struct ResidualOn {
  Array<D, int32_t> a, b;
  Array<D, double> conductance, pad, weight, given;
  Array<D, int32_t> first, end;  ///< per node its ends of edges: 2 e at a[e], 2 e + 1 at b[e]

  ResidualOn(const MergedNetwork& network, const ErrorBound& bound)
      : a(measurable(network).a),
        b(network.b),
        conductance(network.conductance),
        pad(network.pad),
        weight(bound.weights()),
        given(bound.given_currents()) {
    list_ends();
  }

  static const MergedNetwork& measurable(const MergedNetwork& network) {
    if (2 * network.edges() > std::numeric_limits<int32_t>::max())
      throw ResourceError("a network of 2^30 resistors or more is measured on the host");
    return network;
  }

  int64_t nodes() const { return pad.size(); }

  void list_ends() {
    Array<D, int32_t> node(2 * a.size());
    const View<D, int32_t> key = node.view();
    const View<D, const int32_t> from = a.view(), to = b.view();
    D::for_each(
        a.size(), GRIDIRON_KERNEL(int64_t e) {
          key[2 * e] = from[e];
          key[2 * e + 1] = to[e];
        });
    first = Array<D, int32_t>(nodes() + 1);
    end = Array<D, int32_t>(node.size());
    D::group_by(node.view(), nodes(), first.view(), end.view());
  }

  /// Of k columns, into `out`.
  void measure(View<D, const double> voltage, View<D, const double> injection, int64_t k, View<D, FineResidual> partial,
               View<D, FineResidual> out) const {
    const int64_t n = nodes();
    const View<D, const int32_t> from = a.view(), to = b.view(), begin = first.view(), ends = end.view();
    const View<D, const double> g = conductance.view(), to_pads = pad.view(), weights = weight.view(),
                                of_pads = given.view();
    fold<D, FineResidual>(
        n, k, partial, out, GRIDIRON_KERNEL(FineResidual & largest, int64_t i, int64_t j) {
          if (weights[i] < 0) return;
          const int64_t column = j * n;
          const double v = voltage[column + i], current = injection[column + i];
          FineSum sum;
          if (to_pads[i] != 0) sum.add_current(to_pads[i], {v, 0.0});
          for (int64_t at = begin[i]; at < begin[i + 1]; ++at) {
            const int64_t edge = ends[at] / 2, other = ends[at] % 2 == 0 ? to[edge] : from[edge];
            sum.add_current(g[edge], FineVoltages::difference_of(v, voltage[column + other]));
          }
          const double rounding = rounding_of_loads(current, of_pads.size() > 0 ? of_pads[i] : 0.0);
          largest.add(sum.most_residual(current, rounding), weights[i], v);
        });
  }

  int64_t bytes() const {
    return a.bytes() + b.bytes() + conductance.bytes() + pad.bytes() + weight.bytes() + given.bytes() + first.bytes() +
           end.bytes();
  }
};

/// DeviceVectors on device D, in a queue of its own.
template <class D>
class DeviceVectorsOn final : public DeviceVectors {
 public:
  explicit DeviceVectorsOn(void* stream = nullptr) : queue_(stream) {}

  bool is_on_gpu() const override { return !kIsHost; }
  void* stream() const override {
    if constexpr (kIsHost)
      return nullptr;
    else
      return queue_.stream();
  }
  int64_t bytes() const override {
    int64_t sum = residual_ ? elimination_->bytes() + residual_->bytes() : 0;
    for (const Array<D, double>* array : {&injection_, &arrived_, &b_, &x_, &voltage_}) sum += array->bytes();
    return sum;
  }

  void take(const Elimination& elimination, const MergedNetwork& network, const ErrorBound& bound) override {
    const typename D::Scope scope(queue_);
    release();
    elimination_.emplace(elimination);
    residual_.emplace(network, bound);
  }
  void release() override {
    elimination_.reset();
    residual_.reset();
    release_vectors();
  }
  void release_vectors() override {
    for (Array<D, double>* array : {&injection_, &arrived_, &b_, &x_, &voltage_}) *array = Array<D, double>();
  }

  Blocks reduce(Block<const double> injection) override {
    const typename D::Scope scope(queue_);
    make_room(injection.columns);
    D::copy_to_device(injection_.view().data(), injection.data, injection.rows * columns_);
    return reduced();
  }
  Blocks reduce_units(std::span<const int32_t> nodes) override {
    const typename D::Scope scope(queue_);
    make_room(std::ssize(nodes));
    inject_units(Array<D, int32_t>(nodes));
    return reduced();
  }

  void recover(Block<double> voltage) override {
    const typename D::Scope scope(queue_);
    if constexpr (kIsApart) x_.copy_from(x_apart_);
    const int64_t nodes = voltage.rows * columns_, unknowns = elimination_->unknowns() * columns_;
    elimination_->recover(part(arrived_, nodes), part(x_, unknowns), D::view(voltage_.view().data(), nodes), columns_);
    D::copy_to_host(voltage.data, voltage_.view().data(), nodes);
  }

  std::vector<FineResidual> residuals() override {
    const typename D::Scope scope(queue_);
    const int64_t nodes = residual_->nodes();
    Array<D, FineResidual> partial(fold_chunks(nodes) * columns_), out(columns_);
    residual_->measure(part(voltage_, nodes * columns_), part(injection_, nodes * columns_), columns_, partial.view(),
                       out.view());
    return out.to_host();
  }

  // Public, as nvcc takes no kernels from private functions.

  void inject_units(const Array<D, int32_t>& nodes) {
    const View<D, const int32_t> node = nodes.view();
    const int64_t n = residual_->nodes();
    const View<D, double> injection = injection_.view();
    for_each_in_columns<D>(
        n, columns_, GRIDIRON_KERNEL(int64_t i, int64_t j) { injection[j * n + i] = node[j] == i ? 1.0 : 0.0; });
  }

  void pass_on() {
    const int64_t n = residual_->nodes(), unknowns = elimination_->unknowns();
    const View<D, double> at = D::view(arrived_.view().data(), n * columns_), rhs = b_.view();
    copy<D, double>(injection_.view(), at);
    elimination_->pass_on(at, columns_);
    const View<D, const int32_t> of = elimination_->kept.view();
    for_each_in_columns<D>(
        unknowns, columns_, GRIDIRON_KERNEL(int64_t u, int64_t j) { rhs[j * unknowns + u] = at[j * n + of[u]]; });
  }

 private:
  static constexpr bool kIsHost = std::is_same_v<typename D::Queue, HostQueue>;
  static constexpr Memory kMemory = kIsHost ? Memory::host : Memory::device;
  /// Engines cannot use its memory.
  static constexpr bool kIsApart = kIsHost && !D::shares_host_memory;

  void make_room(int64_t columns) {
    columns_ = columns;
    const int64_t nodes = residual_->nodes() * columns, unknowns = elimination_->unknowns() * columns;
    for (auto [array, size] : {std::pair(&injection_, nodes), std::pair(&arrived_, nodes), std::pair(&b_, unknowns),
                               std::pair(&x_, unknowns), std::pair(&voltage_, nodes)})
      if (array->size() < size) *array = Array<D, double>(size);
  }
  Blocks reduced() {
    pass_on();
    Block<const double> b{b_.view().data(), elimination_->unknowns(), columns_, kMemory};
    Block<double> x{x_.view().data(), elimination_->unknowns(), columns_, kMemory};
    if constexpr (kIsApart) {
      b_apart_ = b_.to_host(), x_apart_.resize(b_apart_.size());
      b.data = b_apart_.data(), x.data = x_apart_.data();
    }
    return {b, x};
  }
  static View<D, const double> part(const Array<D, double>& array, int64_t size) {
    return D::view(array.view().data(), size);
  }

  typename D::Queue queue_;
  std::optional<EliminationOn<D>> elimination_;
  std::optional<ResidualOn<D>> residual_;
  int64_t columns_ = 0;
  Array<D, double> injection_, arrived_, b_, x_, voltage_;  ///< of the largest block so far
  std::vector<double> b_apart_, x_apart_;
};

}  // namespace gridiron
