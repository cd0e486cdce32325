// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/plan/means.hpp"
#include "analysis/plan/new_straps.hpp"
#include "layout/read_layout.hpp"
#include "layout/straps/strap_sites.hpp"

namespace gridiron {

/// The straps that a layout has room for: what a plan asks of it.
class LayoutStraps : public StrapPlaces {
 public:
  /// Reads the layout. Errors: InputError, also for straps that the technology does not have.
  LayoutStraps(const layout::LayoutFiles& files, const DesignOptions& options, const PlanMeans& means);

  void find(const std::vector<std::string>& nets) override;
  const std::vector<StrapPlace>& places() const override { return places_; }
  bool conflict(int32_t a, int32_t b) const override { return grounds_->conflict(sites_[a], sites_[b]); }
  std::vector<double> straps_today(const std::string& net, size_t offer) const override;
  std::shared_ptr<const Design> design_with(std::span<const int32_t> places) override;

  const std::shared_ptr<const layout::Library>& library() const { return library_; }
  /// With all vias of the library, as straps() refers to them.
  const layout::Chip& chip() const { return *chip_; }
  std::shared_ptr<const layout::Chip> shared_chip() const { return chip_; }
  std::vector<layout::NewStrap> straps(std::span<const int32_t> places) const;

 private:
  StrapPlace place_of(const layout::StrapSite& site) const;
  double ohm_of(const std::vector<layout::PlacedVia>& vias, layout::Point place) const;

  layout::LayoutFiles files_;
  DesignOptions options_;
  PlanMeans means_;
  std::shared_ptr<const layout::Library> library_;
  std::shared_ptr<layout::Chip> chip_;
  layout::LayerResistances resistances_;
  std::optional<layout::Powers> powers_;
  std::vector<layout::StrapKind> kinds_;
  std::optional<layout::StrapSites> grounds_;
  std::map<int32_t, layout::Network> networks_;  ///< of today, by net
  std::vector<layout::StrapSite> sites_;
  std::vector<StrapPlace> places_;
};

}  // namespace gridiron
