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
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void* handle() const override { return &world_; }

  /// MPI counts bytes in ints: what is larger goes in several messages.
  std::vector<Bytes> all_to_all(std::vector<Bytes> to) const override {
    const std::lock_guard lock(Library::mutex());
    const size_t ranks = count_;
    std::vector<int64_t> sizes(ranks), arriving(ranks);
    for (size_t p = 0; p < ranks; ++p) sizes[p] = std::ssize(to[p]);
    mpi_.mpi_Alltoall(sizes.data(), sizeof(int64_t), mpi_.byte, arriving.data(), sizeof(int64_t), mpi_.byte, world_);
    std::vector<Bytes> from(ranks);
    std::vector<MPI_Request> pending;
    const auto in_pieces = [&pending](Bytes& bytes, auto transfer) {
      constexpr size_t kMost = size_t{1} << 30;
      for (size_t begin = 0; begin < bytes.size(); begin += kMost)
        transfer(bytes.data() + begin, static_cast<int>(std::min(bytes.size() - begin, kMost)),
                 &pending.emplace_back());
    };
    for (int step = 1; step < count_; ++step) {
      const int p = (rank_ + count_ - step) % count_;
      from[p].resize(arriving[p]);
      in_pieces(from[p], [&](char* at, int bytes, MPI_Request* request) {
        mpi_.mpi_Irecv(at, bytes, mpi_.byte, p, kContents, world_, request);
      });
    }
    for (int step = 1; step < count_; ++step) {
      const int p = (rank_ + step) % count_;
      in_pieces(to[p], [&](char* at, int bytes, MPI_Request* request) {
        mpi_.mpi_Isend(at, bytes, mpi_.byte, p, kContents, world_, request);
      });
    }
    from[rank_] = std::move(to[rank_]);
    mpi_.mpi_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
    return from;
  }

  std::vector<Bytes> gather(std::span<const char> mine) const override {
    return all_to_all(std::vector<Bytes>(count_, Bytes(mine.begin(), mine.end())));
  }

  void sum(std::span<double> values) const override { reduce(values, mpi_.plus); }
  void largest(std::span<double> values) const override { reduce(values, mpi_.largest); }

  /// Messages with a tag of their own come through, whatever a process may be waiting for.
  bool all_arrive(double seconds) const override {
    const std::lock_guard lock(Library::mutex());
    std::vector<MPI_Request> pending;
    for (int p = 0; p < count_; ++p) {
      if (p == rank_) continue;
      mpi_.mpi_Irecv(nullptr, 0, mpi_.byte, p, kArrived, world_, &pending.emplace_back());
      mpi_.mpi_Isend(nullptr, 0, mpi_.byte, p, kArrived, world_, &pending.emplace_back());
    }
    for (const Stopwatch watch; watch.seconds() < seconds; ::usleep(500)) {
      const auto is_over = [this](MPI_Request& request) {
        int over = 0;
        mpi_.mpi_Test(&request, &over, MPI_STATUS_IGNORE);
        return over != 0;
      };
      if (std::ranges::all_of(pending, is_over)) return true;
    }
    return false;
  }

  void abort(int exit_code) const override {
    mpi_.mpi_Abort(world_, exit_code);
    std::_Exit(exit_code);
  }

 private:
  enum Tag { kContents = 1, kArrived };

  void reduce(std::span<double> values, MPI_Op operation) const {
    constexpr int64_t kMostAtOnce = int64_t{1} << 24;
    const std::lock_guard lock(Library::mutex());
    for (size_t begin = 0; begin < values.size(); begin += kMostAtOnce) {
      const int count = std::min<size_t>(values.size() - begin, kMostAtOnce);
      mpi_.mpi_Allreduce(MPI_IN_PLACE, values.data() + begin, count, mpi_.real, operation, world_);
    }
  }

  const Library& mpi_;
  mutable MPI_Comm world_;
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
