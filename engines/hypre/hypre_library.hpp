// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <mutex>
#include <optional>
#include <string>

namespace gridiron::hypre {

/// The functions of hypre and MPI that we call, by their names without the prefix.
// clang-format off
#define GRIDIRON_HYPRE_FUNCTIONS(F) \
  F(Init) F(Finalize) F(GetError) F(ClearAllErrors) F(DescribeError) F(IJMatrixCreate) F(IJMatrixDestroy) \
  F(IJMatrixSetObjectType) F(IJMatrixSetDiagOffdSizes) F(IJMatrixInitialize) F(IJMatrixSetValues) \
  F(IJMatrixAssemble) F(IJMatrixGetObject) F(IJVectorCreate) F(IJVectorDestroy) F(IJVectorSetObjectType) \
  F(IJVectorInitialize) F(IJVectorAssemble) F(IJVectorGetObject) F(ParVectorSetConstantValues) F(ParCSRMatrixMatvec) \
  F(BoomerAMGCreate) F(BoomerAMGDestroy) F(BoomerAMGSetup) F(BoomerAMGSolve) F(BoomerAMGSetTol) \
  F(BoomerAMGSetMaxIter) F(BoomerAMGSetPrintLevel) F(BoomerAMGSetCoarsenType) F(BoomerAMGSetInterpType) \
  F(BoomerAMGSetPMaxElmts) F(BoomerAMGSetTruncFactor) F(BoomerAMGSetStrongThreshold) F(BoomerAMGSetMaxRowSum) \
  F(BoomerAMGSetAggNumLevels) F(BoomerAMGSetRelaxType) F(BoomerAMGSetCycleRelaxType) F(BoomerAMGSetRelaxWt) \
  F(BoomerAMGSetNumSweeps) F(BoomerAMGSetCycleType) F(BoomerAMGSetMaxLevels) F(BoomerAMGSetMaxCoarseSize)
#define GRIDIRON_MPI_FUNCTIONS(F) \
  F(Initialized) F(Finalized) F(Init_thread) F(Finalize) F(Comm_rank) F(Comm_size) F(Allreduce) F(Allgather) F(Allgatherv) \
  F(Alltoall) F(Isend) F(Irecv) F(Waitall) F(Barrier) F(Test) F(Abort)
// clang-format on

/// hypre and the MPI that it was built with, loaded when first needed: together they are three dozen shared libraries,
/// which would double the time that every command takes to start.
class Library {
 public:
  /// Why the library cannot be had on this machine, in one line; loads it.
  static std::optional<std::string> missing();
  /// Loads it and starts MPI, unless the program has: alone, without daemons, files or signal handlers of its own if
  /// mpirun did not start this process; ended at exit. Errors: ResourceError.
  static const Library& started();

  /// hypre's error flag belongs to the process, and MPI is started for one thread at a time: whoever calls holds this.
  static std::recursive_mutex& mutex();

  /// Calls a function of hypre. Errors: ResourceError when memory is exhausted, else SolverError.
  template <class F, class... A>
  void operator()(F* function, A... arguments) const {
    function(arguments...);
    if (GetError()) fail();
  }
  /// Whether hypre may still be called: at exit MPI ends before static objects do, and what break_off() leaves is lost.
  bool runs() const;
  /// Leaves hypre's functions, which do not survive an allocation that fails. Errors: ResourceError.
  [[noreturn]] static void break_off();

#define GRIDIRON_MEMBER(name) decltype(&HYPRE_##name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  GRIDIRON_HYPRE_FUNCTIONS(GRIDIRON_MEMBER)
#undef GRIDIRON_MEMBER
#define GRIDIRON_MEMBER(name) decltype(&MPI_##name) mpi_##name = nullptr;
  GRIDIRON_MPI_FUNCTIONS(GRIDIRON_MEMBER)
#undef GRIDIRON_MEMBER
  MPI_Comm self, world;  ///< MPI_COMM_SELF, MPI_COMM_WORLD
  MPI_Datatype real;     ///< MPI_DOUBLE
  MPI_Datatype byte;     ///< MPI_BYTE
  MPI_Op plus, largest;  ///< MPI_SUM, MPI_MAX

 private:
  Library();
  static const Library& loaded();
  void start() const;
  [[noreturn]] void fail() const;
};

}  // namespace gridiron::hypre
