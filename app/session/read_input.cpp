// SPDX-License-Identifier: Apache-2.0
#include "app/session/read_input.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/deck/pads.hpp"
#include "netlist/reader.hpp"
#include "netlist/tables/pad_table.hpp"
#include "support/error_text.hpp"
#include "support/field.hpp"

namespace gridiron {
namespace {

/// Errors: InputError for options that only a deck has.
void require_no_deck(const NetlistArguments& arguments) {
  const auto refuse = [](bool is_given, const char* name) {
    if (is_given) throw input_error("{}: it is of a SPICE deck, not of a layout", field(name));
  };
  refuse(arguments.dbu > 0, "dbu");
  refuse(!arguments.node_pattern.empty(), "node_pattern");
  refuse(arguments.lenient, "lenient");
  refuse(arguments.dialect != "auto", "dialect");
  refuse(!arguments.top.empty(), "top");
  if (!arguments.pads.empty())
    throw input_error("{}: it is of a SPICE deck; the sources of a layout are given by {}", field("pads"),
                      field("sources"));
  if (!arguments.further_files.empty())
    throw input_error("{}: a layout is one DEF file", arguments.further_files.front());
}

}  // namespace

void require_net_of_layout(const NetlistArguments& arguments, const std::string& net) {
  if (!net.empty() && !arguments.is_layout())
    throw field_error("net", "{}: this command selects nets of a layout only", net);
}

void keep_nominal_of(const layout::Layout& layout, DesignOptions& options) {
  std::erase_if(options.nominal_v, [&](const auto& nominal) {
    return std::ranges::none_of(layout.circuit->net_cards,
                                [&](const NetCard& card) { return card.net == nominal.first; });
  });
}

Circuit with_pads(Circuit circuit, const std::string& table, const ReadOptions& read, const DesignOptions& options) {
  if (table.empty()) return circuit;
  if (read.opens) read.opens(table);
  apply_pads(circuit, read_pads(table), options.dbu_per_um, options.node_pattern);
  return circuit;
}

Circuit read_input(const NetlistArguments& arguments, const std::string& net, const ReadOptions& read,
                   DesignOptions& options) {
  if (!arguments.is_layout()) {
    arguments.require_no_layout();
    if (is_called_def(arguments.netlist)) arguments.require_lef(arguments.netlist);
    return with_pads(read_netlist_files(arguments.files(), read), arguments.pads, read, options);
  }
  require_no_deck(arguments);
  if (read.opens) {
    read.opens(arguments.netlist);
    for (const std::string& file : arguments.lef) read.opens(file);
    for (const std::string& file : arguments.layout_tables()) read.opens(file);
  }
  return read_layout_input(arguments.layout_files(arguments.netlist, net, options), options);
}

Circuit read_layout_input(const layout::LayoutFiles& files, DesignOptions& options) {
  layout::Layout layout = layout::read_layout(files);
  keep_nominal_of(layout, options);
  return std::move(*layout.circuit);
}

}  // namespace gridiron
