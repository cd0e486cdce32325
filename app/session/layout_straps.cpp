// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_straps.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "app/session/layout_wires.hpp"
#include "app/session/read_input.hpp"
#include "layout/layer_resistances.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
LayoutStraps::LayoutStraps(const layout::LayoutFiles& files, const DesignOptions& options, const PlanMeans& means)
    : files_(files),
      options_(options),
      means_(means),
      library_(std::make_shared<const layout::Library>(layout::read_lef(files.lefs))),
      chip_(std::make_shared<layout::Chip>(layout::read_def(files.def, *library_))),
      resistances_(layout::lef_resistances(*library_)) {
  if (!files.layer_rc.empty()) layout::read_layer_rc(files.layer_rc, *library_, resistances_, files.layer_rc_options);
  powers_.emplace(layout::read_powers(files, *library_, *chip_));
  for (const StrapOffer& offer : means.straps)
    kinds_.push_back(
        layout::strap_kind(*library_, *chip_, resistances_, offer.layer, offer.width_um, offer.least_pitch_um));
  layout::add_library_vias(*library_, *chip_);
  grounds_.emplace(*library_, *chip_, kinds_, widest_factors(*library_, means));
  for (const int32_t net : layout::chosen_nets(*chip_, files.nets)) grounds_->require_reach(net);
}

void LayoutStraps::find(const std::vector<std::string>& nets) {
  std::vector<int32_t> wanted;
  for (const int32_t net : layout::chosen_nets(*chip_, files_.nets))
    if (std::ranges::any_of(nets, [&](const std::string& name) { return same_name(name, chip_->nets[net].name); }))
      wanted.push_back(net);
  sites_ = grounds_->find(wanted);
  places_.clear();
  for (const layout::StrapSite& site : sites_) {
    places_.push_back(place_of(site));
    places_.back().index = static_cast<int32_t>(places_.size()) - 1;
  }
}

StrapPlace LayoutStraps::place_of(const layout::StrapSite& site) const {
  const double dbu = chip_->dbu_per_um;
  const layout::StrapKind& kind = kinds_[site.kind];
  StrapPlace place;
  place.net = chip_->nets[site.net].name;
  place.offer = static_cast<size_t>(site.kind);
  place.layer = library_->layers[kind.layer].name;
  place.at_um = site.at / dbu;
  place.width_um = kind.width / dbu;
  place.ohm_per_um = resistances_.ohm_per_square[kind.layer] / place.width_um;
  for (const layout::NewStrap& piece : site.pieces) {
    place.pieces.push_back({piece.from.x / dbu, piece.from.y / dbu, piece.to.x / dbu, piece.to.y / dbu});
    const double length = (piece.to.x - piece.from.x + piece.to.y - piece.from.y) / dbu;
    place.area_um2 += length * place.width_um;
  }
  for (const layout::StrapContact& contact : site.contacts)
    place.joints.push_back({contact.piece, library_->layers[contact.layer].name, contact.place.x / dbu,
                            contact.place.y / dbu, ohm_of(site.pieces[contact.piece].vias, contact.place)});
  return place;
}

double LayoutStraps::ohm_of(const std::vector<layout::PlacedVia>& vias, layout::Point place) const {
  double ohm = 0;
  for (const layout::PlacedVia& placed : vias) {
    const layout::Via& via = chip_->vias[placed.via];
    if (placed.place != place || via.cut < 0) continue;
    const double per_cut = resistances_.ohm_per_cut[via.cut];
    ohm += per_cut > 0 ? per_cut / static_cast<double>(via.cuts.size()) : via.ohm;
  }
  return ohm;
}

std::vector<double> LayoutStraps::straps_today(const std::string& net, size_t offer) const {
  std::vector<double> middles;
  const int32_t index = chip_->net(net);
  for (const layout::Dbu at : grounds_->straps_today(index, static_cast<int32_t>(offer)))
    middles.push_back(at / chip_->dbu_per_um);
  return middles;
}

std::vector<layout::NewStrap> LayoutStraps::straps(std::span<const int32_t> places) const {
  std::vector<const layout::StrapSite*> sites;
  for (const int32_t p : places) sites.push_back(&sites_[p]);
  return grounds_->straps(sites);
}

std::shared_ptr<const Design> LayoutStraps::design_with(std::span<const int32_t> places) {
  const std::vector<layout::NewStrap> straps = this->straps(places);
  std::set<int32_t> changed;
  for (const layout::NewStrap& strap : straps) changed.insert(strap.net);
  layout::PlacedDesign design{library_, std::make_shared<const layout::Chip>(layout::with_straps(*chip_, straps)),
                              resistances_};
  design.mesh_um = files_.mesh_um;
  for (const auto& [net, network] : networks_)
    if (!changed.contains(net)) design.networks.emplace(net, network);
  layout::Layout layout = layout::make_layout(design, files_, *powers_);
  for (layout::NetGrid& grid : layout.grids)
    if (!changed.contains(grid.net)) networks_.try_emplace(grid.net, std::move(grid.network));
  DesignOptions options = options_;
  keep_nominal_of(layout, options);
  return make_design(layout.circuit, options, Matrices::any);
}

}  // namespace gridiron
