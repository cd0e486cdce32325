// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublasLt.h>

#include <source_location>

namespace gridiron::psc {

/// The functions of cuBLASLt that we call. The library is half a gigabyte, so it is loaded when first needed: by its
/// name, or from where the build found it.
struct CublasLt {
  /// Errors: ResourceError that names the library when it cannot be loaded.
  static const CublasLt& loaded();

  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetStatusString) status_string;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulDescCreate) operation_create;
  decltype(&cublasLtMatmulDescDestroy) operation_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) operation_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;
  decltype(&cublasLtMatmulAlgoGetHeuristic) find_algorithm;

  /// Errors: ResourceError for a status other than success.
  void check(cublasStatus_t status, std::source_location where = std::source_location::current()) const;
};

}  // namespace gridiron::psc
