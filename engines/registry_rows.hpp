// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/aggamg_engine.hpp"
#include "engines/cholmod/cholmod_engine.hpp"
#include "engines/cudss/cudss_engine.hpp"
#include "engines/engine.hpp"
#include "engines/gpuhmd/gmd_engine.hpp"
#include "engines/gpuhmd/gpuhmd_engine.hpp"
#include "engines/hypre/hypre_engine.hpp"
#include "engines/psc/psc_engine.hpp"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/superlu/superlu_engine.hpp"

namespace gridiron {

/// Up to this size a factorization of a grid takes a fraction of a second and is exact, whatever the conductances;
/// beyond it, time and memory grow faster than those of multigrid.
inline constexpr int64_t kDirectUpTo = 200'000;

using EngineFactory = std::unique_ptr<Engine> (*)(const Settings&);

/// The table. Build supplies what differs between builds with and without CUDA for an engine with a GPU version:
/// `devices`, and on_cuda<its factory>.
template <class Build>
constexpr EngineInfo kEngines[] = {
    {"cholmod", "sparse Cholesky factorization (SuiteSparse CHOLMOD)", "cpu", cholmod_declines, make_cholmod,
     cholmod_defaults, nullptr, kDirectUpTo},
    {"stokes", "flexible GMRES with monolithic multigrid, for Stokes problems on structured Q2-Q1 elements",
     Build::devices, stokes_declines, make_stokes, stokes_defaults, Build::template on_cuda<make_stokes_on_cuda>,
     std::numeric_limits<int64_t>::max(), false},
    {"superlu", "sparse LU factorization, for unsymmetric systems too (SuperLU)", "cpu", superlu_declines, make_superlu,
     superlu_defaults, nullptr, kDirectUpTo},
    {"aggamg", "aggregation algebraic multigrid with K-cycles", Build::devices, aggamg_declines, make_aggamg,
     aggamg_defaults, Build::template on_cuda<make_aggamg_on_cuda>},
    {"gpuhmd", "hybrid geometric multigrid on regular conductance tables, for grids with node coordinates",
     Build::devices, gpuhmd_declines, make_gpuhmd, gpuhmd_defaults, Build::template on_cuda<make_gpuhmd_on_cuda>},
    {"gmd", "geometric multigrid on regular 2-D grids with variable coefficients", Build::devices, gmd_declines,
     make_gmd, gmd_defaults, Build::template on_cuda<make_gmd_on_cuda>},
    {"sgml", "single-grid multilevel method, for problems on regular grids and power grids with node coordinates",
     Build::devices, sgml_declines, make_sgml, sgml_defaults, Build::template on_cuda<make_sgml_on_cuda>},
    {"psc", "direct method of dense products in any precision, for finite elements on refined meshes", Build::devices,
     psc_declines, make_psc, psc_defaults, Build::template on_cuda<make_psc_on_cuda>},
    {"cudss", "sparse Cholesky factorization on the GPU (NVIDIA cuDSS, loaded at run time)", "cuda", cudss_declines,
     make_cudss, cudss_defaults, Build::template on_cuda<make_cudss_on_cuda>, -1},
    {"hypre", "classical algebraic multigrid, BoomerAMG, by the library hypre", "cpu", hypre_declines, make_hypre,
     hypre_defaults, nullptr, -1},
};

}  // namespace gridiron
