// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/data_error.hpp"
#include "analysis/model/design.hpp"
#include "analysis/model/edits.hpp"
#include "analysis/model/loads.hpp"
#include "engines/engine.hpp"
#include "linalg/shares.hpp"
#include "regularize/eliminate.hpp"

namespace gridiron {

/// The linear system of a design: loads → right-hand side, and answers → nodes. A value; copies share everything.
///
/// Two steps lead from nodes to unknowns. Merging: nodes that ties hold at fixed potential differences become a single
/// one (MergedNetwork). Elimination: merged nodes with at most two neighbours become equivalent edges.
class System {
 public:
  /// If `eliminates` is false, every merged node is an unknown. Errors: the design's (Design::throw_first_error);
  /// ResourceError.
  explicit System(const std::shared_ptr<const Design>& design, bool eliminates = true);

  /// What a process holds of a system that several share. Its design is of the elements that end at one of its own
  /// nodes; the topology numbers parts and systems as all of them do, and merges so that groups of other processes come
  /// after its own.
  struct Shared {
    int32_t groups = 0;            ///< of unknown potential that are its own
    std::vector<uint8_t> is_held;  ///< per group of unknown potential: others refer to it, or hold it
    /// Of the rows that an elimination leaves; called by all processes.
    std::function<std::shared_ptr<const Shares>(const Elimination&)> shares_of;
    std::shared_ptr<const Shares> totals;  ///< for sums and maxima before there are rows
  };
  System(std::shared_ptr<const Design> design, bool eliminates, const Shared& shared);

  /// That of another topology with the nodes of the design's, such as a time step's (analysis/tran/storage.hpp).
  System(std::shared_ptr<const Design> design, std::shared_ptr<const Topology> topology, bool eliminates);

  /// One whose matrix need not be an M-matrix: for summaries of voltages that are known, not for engines. Errors: the
  /// design's.
  static System of_any_matrix(std::shared_ptr<const Design> design);

  /// Applies all edits in order, then rebuilds the system. Whatever is unaffected keeps its numbering, so that engines
  /// can update(). On error nothing changes. Errors: InputError for unknown names and values out of range, GridError if
  /// loads would float.
  void apply(std::span<const Edit> edits);
  void apply(const Edit& edit) { apply(std::span(&edit, 1)); }

  const std::shared_ptr<const Design>& design() const { return design_; }
  const Topology& topology() const { return *topology_; }
  /// Those of the design as it was edited.
  std::vector<Finding> findings() const { return design_->findings(*topology_); }
  /// Its network has no injections either.
  std::shared_ptr<const Problem> problem() const { return reduced_->problem; }
  /// Frees what problem() has besides the matrix, for this system and its copies: 56 bytes per node of a deck in IBM's
  /// style. For a system that no engine is to be set up for any more.
  void free_structure() const { reduced_->problem->structure = {}; }
  /// Frees the entries of the matrix, too, and the edges of network(): another 76 bytes. For a system that is to be
  /// solved no more.
  void free_equations() const;
  /// Null unless processes share the system.
  const std::shared_ptr<const Shares>& shares() const { return reduced_->shares; }
  /// Without injections, which depend on the loads.
  const MergedNetwork& network() const { return reduced_->network; }
  const Elimination& elimination() const { return reduced_->elimination; }

  /// Per merged node: its connected system, −1 if it floats.
  const std::vector<int32_t>& connected_system() const { return reduced_->system; }

  /// Per merged node: what its voltage is measured from, V. It is the potential that most conductors to sources of its
  /// connected system lead to, so that with one supply the injections are the loads alone, and their solution the
  /// drops.
  std::vector<double> reference() const;

  /// Of the merged network; lives as long as this system or any copy of it.
  DataError data_error() const { return {reduced_->data_error_v, reduced_->given_currents}; }

  /// Errors: InputError unless the block lies in host memory and has a row per merged node and so many columns.
  void check(Block<const double> block, int64_t columns) const;

  /// Errors: InputError for loads of another design or currents that are not finite, GridError for a load on nodes that
  /// no path leads to.
  void check(const Loads& loads) const;

  /// Injection of each merged node, A, under load vector v. Errors: those of check() for this vector.
  std::vector<double> injection(const Loads& loads, int64_t v) const;
  /// The same into an array of that size.
  void injection(const Loads& loads, int64_t v, std::span<double> amperes) const;

  /// The same as it reaches the unknowns: the right-hand side of problem().
  std::vector<double> right_hand_side(const Loads& loads, int64_t v) const;

  /// Solves for injections of the merged network (merged nodes × k, A) with an engine set up for problem(); `voltage`
  /// (the same shape, V, measured from reference()) holds the guess on entry. Both lie in host memory, and may be one
  /// block: then the guess is 0, as with StopRule::from_zero. Errors: InputError for another shape or memory; the
  /// engine's.
  SolveStats solve(Engine& engine, Block<const double> injection, Block<double> voltage, const StopRule& stop) const;

  /// Changes solutions of problem(), its columns × k, before eliminated nodes are computed from them; `b` is the
  /// right-hand side.
  using OnUnknowns = std::function<void(const SolveStats& stats, Block<const double> b, Block<double> x)>;

  /// Scratch blocks of the reduced system, for callers that solve repeatedly.
  struct Scratch {
    std::vector<double> arrived, b, x;
  };
  SolveStats solve(Engine& engine, Block<const double> injection, Block<double> voltage, const StopRule& stop,
                   Scratch& scratch, const OnUnknowns& afterwards = {}) const;

  /// Voltage of every node of the netlist, V, from those of the merged network, measured from reference(); 0 at ground
  /// and where a node floats.
  std::vector<double> node_voltages(std::span<const double> merged) const;

  /// For each unknown, the name of a netlist node that it represents.
  std::vector<std::string> unknown_names() const;

  /// Per Geometry::net the names of its nets, "VDD" or "VDD+VDDA"; empty for floating parts.
  std::vector<std::string> part_names() const;

  /// Time taken by the last build of the system.
  struct Seconds {
    double reduce = 0, assemble = 0;
  };
  Seconds seconds() const { return reduced_->seconds; }

 private:
  /// Everything derived from a topology.
  struct Reduced {
    MergedNetwork network;
    std::vector<int32_t> system;
    std::vector<double> reference_of_system;  ///< see reference(); per connected system
    std::vector<double> given_currents;       ///< injection of each merged node without any load, A; empty: none
    double data_error_v = 0;                  ///< see DataError
    std::vector<int64_t> sources_at_floating;
    Elimination elimination;
    std::shared_ptr<Problem> problem;
    std::shared_ptr<const Shares> shares;
    Seconds seconds;
  };
  void require_finite(const Loads& loads, int64_t v) const;
  void require_path(const Loads& loads, int64_t v) const;
  System(std::shared_ptr<const Design> design, std::shared_ptr<Reduced> reduced);
  static std::shared_ptr<Reduced> reduced(const Design& design, const Topology& topology, bool eliminates,
                                          const Shared* shared = nullptr, Matrices allowed = Matrices::m_matrix);

  std::shared_ptr<const Design> design_;
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<Reduced> reduced_;  ///< only freed, once it is made
  bool eliminates_;
};

}  // namespace gridiron
