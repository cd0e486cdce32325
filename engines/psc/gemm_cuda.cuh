// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <map>
#include <tuple>
#include <utility>

#include "device/cuda_device.cuh"
#include "engines/psc/cublas_lt.hpp"
#include "engines/psc/gemm.hpp"

namespace gridiron::psc {

/// How cuBLASLt names the operands; sums are float but for double. Our classes of 16 bits are laid out as CUDA's.
template <class T>
struct CudaTypes {
  static constexpr bool is_double = std::is_same_v<T, double>;
  static constexpr cudaDataType_t sum = is_double ? CUDA_R_64F : CUDA_R_32F;
  static constexpr cudaDataType_t operand = std::is_same_v<T, Half>     ? CUDA_R_16F
                                            : std::is_same_v<T, BFloat> ? CUDA_R_16BF
                                                                        : sum;
  static constexpr cublasComputeType_t compute = is_double                   ? CUBLAS_COMPUTE_64F
                                                 : std::is_same_v<T, TFloat> ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                             : CUBLAS_COMPUTE_32F;
};

/// By cuBLASLt on the current queue. The algorithm for a shape is chosen once by its heuristic, and the same shape
/// always takes the same one. Not for several threads at once.
class CudaGemm {
 public:
  /// Allocates before any recording, which must not contain allocations.
  CudaGemm() : lt_(&CublasLt::loaded()), workspace_(kWorkspace) { lt_->check(lt_->create(&handle_)); }
  CudaGemm(const CudaGemm&) = delete;
  CudaGemm& operator=(const CudaGemm&) = delete;
  ~CudaGemm() {
    for (auto& [key, plan] : plans_) destroy(plan);
    if (handle_) lt_->destroy(handle_);
  }

  template <class T>
  void operator()(const GemmShape& shape, double alpha, PlainView<const T> a, PlainView<const T> b, double beta,
                  PlainView<Sum<T>> c) {
    if (shape.is_empty()) return;
    if (shape.k <= 0) {
      if (beta == 0) set_to_zero(shape, c);
      return;
    }
    Plan& plan = plan_for<T>(shape, beta != 0);
    const Sum<T> alpha_value = static_cast<Sum<T>>(alpha), beta_value = static_cast<Sum<T>>(beta);
    lt_->check(lt_->matmul(handle_, plan.operation, &alpha_value, a.data(), plan.a, b.data(), plan.b, &beta_value,
                           c.data(), plan.c, c.data(), plan.c, &plan.algorithm, workspace_.view().data(), kWorkspace,
                           CudaMemory::stream()));
  }

 private:
  /// A product over no terms.
  template <class S>
  static void set_to_zero(const GemmShape& s, PlainView<S> c) {
    for (int64_t g = 0; g < s.batch; ++g)
      gridiron::check(cudaMemset2DAsync(c.data() + g * s.stride_c, s.ldc * sizeof(S), 0, s.m * sizeof(S), s.n,
                                        CudaMemory::stream()));
  }

  static constexpr int64_t kWorkspace = int64_t{32} << 20;  ///< as NVIDIA recommends for Hopper

  struct Plan {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
  };
  void destroy(const Plan& plan) const {
    if (plan.operation) lt_->operation_destroy(plan.operation);
    for (cublasLtMatrixLayout_t layout : {plan.a, plan.b, plan.c})
      if (layout) lt_->layout_destroy(layout);
  }
  using Key = std::tuple<int, int, bool, bool, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t>;

  cublasLtMatrixLayout_t layout(cudaDataType_t type, int64_t rows, int64_t columns, int64_t pitch, int64_t batch,
                                int64_t stride) const {
    cublasLtMatrixLayout_t made;
    lt_->check(lt_->layout_create(&made, type, rows, columns, pitch));
    if (batch > 1) {
      const auto count = static_cast<int32_t>(batch);
      lt_->check(lt_->layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
      lt_->check(lt_->layout_set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
    }
    return made;
  }

  template <class T>
  Plan& plan_for(const GemmShape& s, bool adds) {
    using Types = CudaTypes<T>;
    const Key key{Types::operand, Types::compute, s.transpose_a, adds,    s.m,        s.n,        s.k,
                  s.lda,          s.ldb,          s.ldc,         s.batch, s.stride_a, s.stride_b, s.stride_c};
    const auto [at, is_new] = plans_.try_emplace(key);
    if (!is_new) return at->second;
    Plan& plan = at->second;
    lt_->check(lt_->operation_create(&plan.operation, Types::compute, Types::sum));
    const cublasOperation_t transpose = s.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    lt_->check(lt_->operation_set(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose, sizeof transpose));
    plan.a = layout(Types::operand, s.transpose_a ? s.k : s.m, s.transpose_a ? s.m : s.k, s.lda, s.batch, s.stride_a);
    plan.b = layout(Types::operand, s.k, s.n, s.ldb, s.batch, s.stride_b);
    plan.c = layout(Types::sum, s.m, s.n, s.ldc, s.batch, s.stride_c);
    cublasLtMatmulPreference_t preference;
    lt_->check(lt_->preference_create(&preference));
    lt_->check(
        lt_->preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspace, sizeof kWorkspace));
    // Views begin at multiples of 8 entries.
    for (const auto [attribute, bytes] : {std::pair{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, 8 * sizeof(T)},
                                          std::pair{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, 8 * sizeof(T)},
                                          std::pair{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, 8 * sizeof(Sum<T>)},
                                          std::pair{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, 8 * sizeof(Sum<T>)}}) {
      const auto least = static_cast<uint32_t>(bytes);
      lt_->check(lt_->preference_set(preference, attribute, &least, sizeof least));
    }
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const cublasStatus_t status =
        lt_->find_algorithm(handle_, plan.operation, plan.a, plan.b, plan.c, plan.c, preference, 1, &found, &count);
    lt_->preference_destroy(preference);
    lt_->check(status);
    if (count == 0) lt_->check(CUBLAS_STATUS_NOT_SUPPORTED);
    plan.algorithm = found.algo;
    return plan;
  }

  const CublasLt* lt_;
  cublasLtHandle_t handle_ = nullptr;
  Array<CudaDevice, char> workspace_;
  std::map<Key, Plan> plans_;
};

/// Of CudaDevice and devices derived from it.
template <class D>
requires std::derived_from<D, CudaDevice>
class Gemm<D> : public CudaGemm {
};

}  // namespace gridiron::psc
