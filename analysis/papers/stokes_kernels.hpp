// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engines/stokes/multigrid.hpp"

namespace gridiron {

/// The kernels of the Stokes engine on the finest level of n × n elements, as the paper's section 6 lists them.
template <class D, class T>
class StokesKernels {
 public:
  struct Kernel {
    std::string name;
    double in_schur, in_vanka, in_stencil;  ///< calls on a level in V(1,2) with Braess-Sarazin of three sweeps, with
                                            ///< tuned Vanka, and with Vanka as a stencil
    std::function<void()> run;
    bool on_tensor_cores = false;
  };

  explicit StokesKernels(int64_t n) {
    StokesGrid grid, coarse;
    grid.elements = {n, n};
    coarse.elements = {n / 2, n / 2};
    grid.spacing = coarse.spacing = {1, 1};
    const stokes::Stencil<double> stencil(1, 1, 1, 0);
    level_ = stokes::LevelGrid<D, T>(grid, stokes::Stencil<T>(1, 1, 1, 0));
    coarse_ = stokes::LevelGrid<D, T>(coarse, stokes::Stencil<T>(1, 1, 1, 0));
    const int64_t size = level_.layout.size(), plane = level_.layout.plane;
    for (auto* vector : {&f_, &x_, &r_}) *vector = stokes::zero_array<D, T>(size);
    coarse_vector_ = stokes::zero_array<D, T>(coarse_.layout.size());
    for (auto* vector : {&s_, &dp_, &other_dp_}) *vector = stokes::zero_array<D, T>(plane);
    schur_ = stokes::SchurComplement<D, T>(level_, stencil);
    const std::vector<double> inverses = stokes::vanka_table(stencil, n, n, 0.8);
    vanka_ = stokes::Vanka<D, T>(level_.layout, shared(inverses), true);
    const std::vector<double> rows = stokes::vanka_stencil_table(inverses, n, n);
    stencil_ = stokes::VankaStencil<D, T>(level_.layout, shared(rows), stokes::middle_vanka_row<T>(rows, n, n));
    tensor_ = stokes::VankaTensor<D, T>(level_.layout, shared(rows), stokes::middle_vanka_row<float>(rows, n, n));
  }

  std::vector<Kernel> all() {
    const auto in = [](Array<D, T>& array) { return array.view(); };
    return {
        {"residual", 3, 3, 3, [=, this] { stokes::form_residual<true, D, T>(level_, in(f_), in(x_), r_.view()); }},
        {"Schur right-hand side", 3, 0, 0,
         [=, this] {
           stokes::begin_schur<D, T>(level_, T(1), T(1), schur_.inverse_diagonal(), in(r_), s_.view(), dp_.view());
         }},
        {"Schur Jacobi sweep", 6, 0, 0, [=, this] { schur_.sweep(T(1), in(s_), in(dp_), other_dp_.view()); }},
        {"Braess-Sarazin update", 3, 0, 0,
         [=, this] { stokes::end_schur<true, false, D, T>(level_, T(1), T(1), in(r_), in(dp_), x_.view()); }},
        {"Vanka: apply inverses", 0, 3, 0, [=, this] { vanka_.solve_patches(in(r_)); }},
        {"Vanka: update solution", 0, 3, 0, [=, this] { vanka_.add_corrections(level_, false, x_.view()); }},
        {"Vanka as a stencil", 0, 0, 3, [=, this] { stencil_.relax(level_, false, in(r_), x_.view()); }},
        {"Vanka on Tensor Cores", 0, 0, 0, [=, this] { tensor_.relax(false, in(r_), x_.view()); }, true},
        {"restriction", 1, 1, 1,
         [=, this] {
           stokes::restrict_to<D, T>(coarse_, level_.layout, stokes::Transfer(), in(r_), coarse_vector_.view());
         }},
        {"interpolation", 1, 1, 1,
         [=, this] {
           stokes::interpolate_from<D, T>(coarse_, level_.layout, stokes::Transfer(), in(coarse_vector_), x_.view());
         }},
    };
  }

 private:
  static std::shared_ptr<const Array<D, T>> shared(const std::vector<double>& values) {
    return std::make_shared<const Array<D, T>>(std::vector<T>(values.begin(), values.end()));
  }

  stokes::LevelGrid<D, T> level_, coarse_;
  Array<D, T> f_, x_, r_, coarse_vector_, s_, dp_, other_dp_;
  stokes::SchurComplement<D, T> schur_;
  stokes::Vanka<D, T> vanka_;
  stokes::VankaStencil<D, T> stencil_;
  stokes::VankaTensor<D, T> tensor_;
};

}  // namespace gridiron
