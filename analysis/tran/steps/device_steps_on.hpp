// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/tran/results_on.hpp"

namespace gridiron {

/// DeviceSteps on device D, in a queue of its own.
template <class D>
class DeviceStepsOn final : public DeviceSteps {
 public:
  explicit DeviceStepsOn(const StepTables& tables, void* stream = nullptr) : queue_(stream) {
    const typename D::Scope scope(queue_);
    grid_.emplace(tables);
  }

  void* stream() const override {
    if constexpr (std::is_same_v<typename D::Queue, HostQueue>)
      return nullptr;
    else
      return queue_.stream();
  }
  Memory memory() const override { return is_host() ? Memory::host : Memory::device; }
  int64_t bytes() const override { return grid_->bytes(); }

  std::unique_ptr<Size> prepare(const Elimination& elimination, const QuickResidual* residual,
                                std::span<const double> conductance) override {
    const typename D::Scope scope(queue_);
    return std::make_unique<SizeOn<D>>(elimination, residual, conductance);
  }

  void set_drives(int64_t drives) override {
    const typename D::Scope scope(queue_);
    loads_.set_drives(drives);
  }
  void set_templates(const TemplateTables& templates) override {
    const typename D::Scope scope(queue_);
    loads_.set_templates(templates);
  }
  void change(std::span<const LoadPiece> pieces) override {
    const typename D::Scope scope(queue_);
    loads_.change(pieces);
  }
  void find_loads(double t) override {
    const typename D::Scope scope(queue_);
    loads_.find(t, grid_->next_load.view(), grid_->k);
  }

  void find_history(const Size& size, Method rule) override {
    const typename D::Scope scope(queue_);
    grid_->find_history(of(size), rule);
  }
  void keep_injections() override {
    const typename D::Scope scope(queue_);
    grid_->keep_injections();
  }
  Blocks unknowns(const Size& size, const Guesses& guesses) override {
    const typename D::Scope scope(queue_);
    grid_->find_injection();
    grid_->reduce(of(size), guesses);
    const int64_t unknowns = of(size).elimination.unknowns();
    Block<const double> b{grid_->b.view().data(), unknowns, grid_->k, memory()};
    Block<double> x{grid_->x.view().data(), unknowns, grid_->k, memory()};
    if constexpr (kIsApart) {
      b_ = grid_->b.to_host(), x_ = grid_->x.to_host();
      b.data = b_.data(), x.data = x_.data();
    }
    return {b, x};
  }
  void recover(const Size& size) override {
    const typename D::Scope scope(queue_);
    if constexpr (kIsApart) grid_->x.copy_from(x_);
    grid_->recover(of(size));
  }
  std::vector<ResidualSums> residuals(const Size& size) override {
    const typename D::Scope scope(queue_);
    return grid_->residuals(of(size));
  }
  double largest_of(const double (&c)[4]) override {
    const typename D::Scope scope(queue_);
    return grid_->largest_of(c);
  }
  void accept(const Size& size, Method rule) override {
    const typename D::Scope scope(queue_);
    grid_->accept(of(size), rule);
  }

  void injection_to(std::span<double> amperes) override {
    const typename D::Scope scope(queue_);
    grid_->injection.copy_to(amperes);
  }
  void next_from(std::span<const double> volts) override {
    const typename D::Scope scope(queue_);
    grid_->next.copy_from(volts);
  }
  void present_to(std::span<double> volts) override {
    const typename D::Scope scope(queue_);
    grid_->present.copy_to(volts);
  }

  void measure(const ResultTables& tables) override {
    const typename D::Scope scope(queue_);
    drops_.emplace(tables, grid_->k);
    pads_.emplace(tables, grid_->k);
    if (tables.segments) segments_.emplace(*tables.segments, grid_->k);
    shift_ = Array<D, double>(tables.shift_v);
    kept_ = Array<D, double>(grid_->nodes);
  }

  std::vector<StateFigures> count(double time, double seconds, double seconds_of_charge, double step) override {
    const typename D::Scope scope(queue_);
    const int64_t k = grid_->k;
    for (int64_t j = 0; j < k; ++j) {
      const StateOn<D> state = this->state(j);
      drops_->count(state, j, time, seconds, std::exchange(is_first_, false));
      pads_->count(state, j, time, seconds_of_charge);
      if (segments_) segments_->count(state, j, time, seconds, step);
    }
    const std::vector<Largest> worst = drops_->worst_of_nets(k);
    const std::vector<FoldedSum> flows = pads_->flows.to_host();
    const size_t nets = worst.size() / static_cast<size_t>(k);
    std::vector<StateFigures> figures(k);
    for (size_t j = 0; j < figures.size(); ++j) {
      const FoldedSum* const flow = flows.data() + j * PadsOn<D>::kFlows;
      figures[j] = {std::vector<Largest>(worst.begin() + static_cast<ptrdiff_t>(j * nets),
                                         worst.begin() + static_cast<ptrdiff_t>((j + 1) * nets)),
                    0.0 - (flow[0].value + flow[1].value) - flow[2].value, flow[3].value};
    }
    return figures;
  }

  void voltages_to(std::span<const int32_t> nodes, std::span<double> volts) override {
    if (nodes.empty()) return;
    const typename D::Scope scope(queue_);
    const Array<D, int32_t> at(nodes);
    Array<D, double> out(std::ssize(volts));
    gather(at.view(), out.view());
    out.copy_to(volts);
  }
  void gather(View<D, const int32_t> at, View<D, double> out) const {
    const int64_t n = at.size(), of_nodes = grid_->nodes;
    const View<D, const double> v = grid_->present.view();
    for_each_in_columns<D>(
        n, grid_->k,
        GRIDIRON_KERNEL(int64_t i, int64_t j) { out[j * n + i] = at[i] >= 0 ? v[j * of_nodes + at[i]] : 0.0; });
  }

  void keep(int64_t scenario) override {
    const typename D::Scope scope(queue_);
    const StateOn<D> state = this->state(scenario);
    const View<D, double> to = kept_.view();
    D::for_each(
        to.size(), GRIDIRON_KERNEL(int64_t i) { to[i] = state[i]; });
  }
  void kept_to(std::span<double> volts) override {
    const typename D::Scope scope(queue_);
    kept_.copy_to(volts);
  }
  void figures_to(Figures& figures, double seconds) override {
    const typename D::Scope scope(queue_);
    drops_->figures_to(figures, seconds);
    figures.pads = pads_->over_time.to_host();
    if (segments_) figures.segments = segments_->over_time.to_host();
  }

  void finish() override {
    const typename D::Scope scope(queue_);
    D::synchronize();
  }

 private:
  /// Engines cannot use its memory.
  static constexpr bool kIsApart = std::is_same_v<typename D::Queue, HostQueue> && !D::shares_host_memory;
  static constexpr bool is_host() { return std::is_same_v<typename D::Queue, HostQueue>; }
  static const SizeOn<D>& of(const Size& size) { return static_cast<const SizeOn<D>&>(size); }

  StateOn<D> state(int64_t j) const {
    const auto column = [&](const Array<D, double>& block, int64_t rows, int64_t at) {
      return D::view(block.view().data() + at * rows, rows);
    };
    const StatesOn<D>& g = *grid_;
    return {column(g.present, g.nodes, j), column(g.amperes, g.storage, j), column(g.load, g.loads, j),
            j > 0 ? column(shift_, g.nodes, j - 1) : View<D, const double>()};
  }

  typename D::Queue queue_;
  std::optional<StatesOn<D>> grid_;
  LoadsOn<D> loads_;
  std::optional<DropsOn<D>> drops_;
  std::optional<PadsOn<D>> pads_;
  std::optional<SegmentsOn<D>> segments_;
  Array<D, double> shift_, kept_;
  bool is_first_ = true;
  std::vector<double> b_, x_;
};

}  // namespace gridiron
