// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/aggamg_engine.hpp"
#include "engines/cholmod/cholmod_engine.hpp"
#include "engines/cudss/cudss_engine.hpp"
#include "engines/direct_or_multigrid.hpp"
#include "engines/engine.hpp"
#include "engines/gpuhmd/gmd_engine.hpp"
#include "engines/gpuhmd/gpuhmd_engine.hpp"
#include "engines/hypre/hypre_engine.hpp"
#include "engines/psc/psc_engine.hpp"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/superlu/superlu_engine.hpp"

namespace gridiron {

/// The table. Build supplies what differs between builds with and without CUDA for an engine with a GPU version:
/// `devices`, and on_cuda<its factory>.
template <class Build>
constexpr EngineInfo kEngines[] = {
    {.name = "cholmod",
     .about = "sparse Cholesky factorization (SuiteSparse CHOLMOD)",
     .devices = "cpu",
     .kind = EngineKind::direct,
     .declines = cholmod_declines,
     .make = make_cholmod,
     .defaults = cholmod_defaults,
     .auto_up_to = kDirectUpTo},
    {.name = "stokes",
     .about = "flexible GMRES with monolithic multigrid, for Stokes problems on structured Q2-Q1 elements",
     .devices = Build::devices,
     .kind = EngineKind::geometric,
     .declines = stokes_declines,
     .make = make_stokes,
     .defaults = stokes_defaults,
     .make_on_cuda = Build::template on_cuda<make_stokes_on_cuda>,
     .needs_matrix = false},
    {.name = "superlu",
     .about = "sparse LU factorization, for unsymmetric systems too (SuperLU)",
     .devices = "cpu",
     .kind = EngineKind::direct,
     .declines = superlu_declines,
     .make = make_superlu,
     .defaults = superlu_defaults,
     .auto_up_to = kDirectUpTo},
    {.name = "aggamg",
     .about = "aggregation algebraic multigrid with K-cycles",
     .devices = Build::devices,
     .kind = EngineKind::algebraic,
     .declines = aggamg_declines,
     .make = make_aggamg,
     .defaults = aggamg_defaults,
     .make_on_cuda = Build::template on_cuda<make_aggamg_on_cuda>},
    {.name = "gpuhmd",
     .about = "hybrid geometric multigrid on regular conductance tables, for grids with node coordinates",
     .devices = Build::devices,
     .kind = EngineKind::hybrid,
     .declines = gpuhmd_declines,
     .make = make_gpuhmd,
     .defaults = gpuhmd_defaults,
     .make_on_cuda = Build::template on_cuda<make_gpuhmd_on_cuda>},
    {.name = "gmd",
     .about = "geometric multigrid on regular 2-D grids with variable coefficients",
     .devices = Build::devices,
     .kind = EngineKind::geometric,
     .declines = gmd_declines,
     .make = make_gmd,
     .defaults = gmd_defaults,
     .make_on_cuda = Build::template on_cuda<make_gmd_on_cuda>},
    {.name = "sgml",
     .about = "single-grid multilevel method, for problems on regular grids and power grids with node coordinates",
     .devices = Build::devices,
     .kind = EngineKind::hybrid,
     .declines = sgml_declines,
     .make = make_sgml,
     .defaults = sgml_defaults,
     .make_on_cuda = Build::template on_cuda<make_sgml_on_cuda>},
    {.name = "psc",
     .about = "direct method of dense products in any precision, for finite elements on refined meshes",
     .devices = Build::devices,
     .kind = EngineKind::geometric,
     .declines = psc_declines,
     .make = make_psc,
     .defaults = psc_defaults,
     .make_on_cuda = Build::template on_cuda<make_psc_on_cuda>},
    {.name = "cudss",
     .about = "sparse Cholesky factorization on the GPU (NVIDIA cuDSS, loaded at run time)",
     .devices = "cuda",
     .kind = EngineKind::direct,
     .declines = cudss_declines,
     .make = make_cudss,
     .defaults = cudss_defaults,
     .make_on_cuda = Build::template on_cuda<make_cudss_on_cuda>,
     .auto_up_to = -1},
    {.name = "hypre",
     .about = "classical algebraic multigrid, BoomerAMG, by the library hypre",
     .devices = "cpu",
     .kind = EngineKind::algebraic,
     .declines = hypre_declines,
     .make = make_hypre,
     .defaults = hypre_defaults,
     .make_shared = make_shared_hypre,
     .auto_up_to = -1},
};

}  // namespace gridiron
