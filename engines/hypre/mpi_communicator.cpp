// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "engines/communicator.hpp"
#include "engines/hypre/hypre_library.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace hypre {
namespace {

class MpiCommunicator : public Communicator {
 public:
  MpiCommunicator() : mpi_(Library::started()), world_(mpi_.world) {
    mpi_.mpi_Comm_rank(world_, &rank_);
    mpi_.mpi_Comm_size(world_, &count_);
    mpi_.mpi_Comm_dup(world_, &last_);
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void* handle() const override { return &world_; }

  /// MPI counts bytes in ints: what is larger goes in several rounds.
  std::vector<Bytes> all_to_all(std::vector<Bytes> to) const override {
    const std::lock_guard lock(Library::mutex());
    const auto ranks = static_cast<std::size_t>(count_);
    std::vector<std::int64_t> sizes(ranks), arriving(ranks);
    for (std::size_t p = 0; p < ranks; ++p) sizes[p] = static_cast<std::int64_t>(to[p].size());
    mpi_.mpi_Alltoall(sizes.data(), sizeof(std::int64_t), mpi_.byte, arriving.data(), sizeof(std::int64_t), mpi_.byte,
                      world_);
    std::vector<Bytes> from(ranks);
    double most = 0;
    for (std::size_t p = 0; p < ranks; ++p) {
      from[p].resize(static_cast<std::size_t>(arriving[p]));
      most = std::max(most, static_cast<double>(sizes[p]));
    }
    largest({&most, 1});
    const std::int64_t piece = kMostAtOnce / count_;
    Bytes out, in;
    for (std::int64_t begin = 0; begin < static_cast<std::int64_t>(most); begin += piece) {
      std::vector<int> send(ranks), send_at(ranks), receive(ranks), receive_at(ranks);
      const auto size_of = [&](std::int64_t all) {
        return static_cast<int>(std::clamp<std::int64_t>(all - begin, 0, piece));
      };
      int send_all = 0, receive_all = 0;
      for (std::size_t p = 0; p < ranks; ++p) {
        send_at[p] = send_all;
        receive_at[p] = receive_all;
        send_all += send[p] = size_of(sizes[p]);
        receive_all += receive[p] = size_of(arriving[p]);
      }
      out.resize(static_cast<std::size_t>(send_all));
      in.resize(static_cast<std::size_t>(receive_all));
      for (std::size_t p = 0; p < ranks; ++p)
        if (send[p] > 0) std::copy_n(to[p].begin() + begin, send[p], out.begin() + send_at[p]);
      mpi_.mpi_Alltoallv(out.data(), send.data(), send_at.data(), mpi_.byte, in.data(), receive.data(),
                         receive_at.data(), mpi_.byte, world_);
      for (std::size_t p = 0; p < ranks; ++p)
        if (receive[p] > 0) std::copy_n(in.begin() + receive_at[p], receive[p], from[p].begin() + begin);
    }
    return from;
  }

  std::vector<Bytes> gather(std::span<const char> mine) const override {
    return all_to_all(std::vector<Bytes>(static_cast<std::size_t>(count_), Bytes(mine.begin(), mine.end())));
  }

  void sum(std::span<double> values) const override { reduce(values, mpi_.plus); }
  void largest(std::span<double> values) const override { reduce(values, mpi_.largest); }

  bool all_arrive(double seconds) const override {
    const std::lock_guard lock(Library::mutex());
    MPI_Request barrier;
    mpi_.mpi_Ibarrier(last_, &barrier);
    for (const Stopwatch watch; watch.seconds() < seconds; ::usleep(500)) {
      int is_over = 0;
      mpi_.mpi_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
      if (is_over) return true;
    }
    return false;
  }

  void abort(int exit_code) const override {
    mpi_.mpi_Abort(world_, exit_code);
    std::_Exit(exit_code);
  }

 private:
  static constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 24;  ///< bytes in buffers, or values of a reduction

  void reduce(std::span<double> values, MPI_Op operation) const {
    const std::lock_guard lock(Library::mutex());
    for (std::size_t begin = 0; begin < values.size(); begin += kMostAtOnce) {
      const auto count = static_cast<int>(std::min<std::size_t>(values.size() - begin, kMostAtOnce));
      mpi_.mpi_Allreduce(MPI_IN_PLACE, values.data() + begin, count, mpi_.real, operation, world_);
    }
  }

  const Library& mpi_;
  mutable MPI_Comm world_;
  MPI_Comm last_;  ///< for all_arrive(), beside what a process may be waiting for in world_
  int rank_ = 0, count_ = 1;
};

}  // namespace
}  // namespace hypre

std::unique_ptr<Communicator> join_mpirun() {
  if (processes_of_mpirun() < 2) return nullptr;
  if (const auto reason = hypre::Library::missing()) throw ResourceError("hypre: " + *reason);
  auto all = std::make_unique<hypre::MpiCommunicator>();
  return all->count() > 1 ? std::move(all) : nullptr;
}

int processes_of_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::max(1, std::atoi(size));
  return 1;
}

}  // namespace gridiron
