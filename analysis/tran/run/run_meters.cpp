// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/run_meters.hpp"

namespace gridiron {

RunMeters::RunMeters(const System& system, OperatingPoints& start, const Integrator& integrator,
                     bool are_segments_asked_for)
    : start(start),
      extremes(start.report(), system.topology(), start.scenarios()),
      over_time(start.report(), system.topology(), integrator.merge(), integrator.are_nodes_apart(), start.scenarios(),
                [this](int64_t j, std::span<const Largest> worst, const Potentials& deviation, double time) {
                  if (extremes.add(j, worst, time)) extremes.keep(deviation);
                }),
      pad_meter(*system.design(), integrator.topology(), integrator.are_nodes_apart(), integrator.storage(),
                start.pads()),
      pads(start.pads(), start.supplied_a(), start.drawn_a(), start.scenarios()) {
  if (are_segments_asked_for) segments.emplace(start.report(), system.topology(), start.scenarios());
}

}  // namespace gridiron
