// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netlist/ledger.hpp"
#include "netlist/names/node_names.hpp"
#include "netlist/placement.hpp"
#include "netlist/source_text.hpp"
#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// Index of a node. Node 0 is ground ("0", "gnd"), always present.
using NodeId = int32_t;
inline constexpr NodeId kGround = 0;

/// The kinds of two-terminal elements.
enum Kind { kResistor, kCapacitor, kInductor, kVoltageSource, kCurrentSource, kKinds };
inline constexpr Kind kEveryKind[] = {kResistor, kCapacitor, kInductor, kVoltageSource, kCurrentSource};

/// The location of a card: file (index into Circuit::files) and byte offset. An element's name, line and column are not
/// stored, nor is the comment before it that names a sink's instance: they are read from the text, which stays mapped,
/// when they are asked for. Of a circuit that no SPICE text spells (Circuit::made_names), what the element is made
/// from.
struct Origin {
  uint64_t file : 16;
  uint64_t offset : 48;
};

/// What is read of a text of Circuit::files that spells elements: all up to its .end, or a section of a library.
struct TextRange {
  uint64_t begin = 0;                                   ///< of a section, the end of the line that opens it
  uint64_t end = std::numeric_limits<uint64_t>::max();  ///< its .end or .endl; beyond the text if there is none
  bool is_included = false;
  Origin card{};  ///< the .include or .lib that names it
};

/// The name of a file in a text: where it stands, without quotes around it.
struct FileName {
  Origin origin;
  uint32_t size;
};

/// Two-terminal elements of one kind, column by column; row i is one element from node a[i] to node b[i].
struct Elements {
  std::vector<NodeId> a, b;
  std::vector<double> value;  ///< Ω, F, H, V or A; for sources the DC value
  std::vector<Origin> origin;

  int64_t size() const { return std::ssize(a); }
};

/// Independent sources. A current source draws value[i] out of node a[i] and feeds it into b[i] (SPICE's sign
/// convention); a voltage source holds v(a[i]) − v(b[i]) = value[i].
struct Sources : Elements {
  std::vector<int32_t> waveform;  ///< index into Circuit::waveforms, −1 for a DC source
};

/// `* layer: M5,VDD net: 1` of the IBM decks: nodes n1_<x>_<y> are on layer M5 of net VDD.
struct LayerCard {
  int number;
  std::string layer, net;
  Origin origin{};
};

/// `* Netlist for VSS on default`, as OpenROAD writes it: the sources that follow in this file feed net VSS.
struct NetCard {
  std::string net;
  Origin origin;
};

/// `* nominal: VDD 1.1`, written by `gridiron generate`.
struct NominalCard {
  std::string net;
  double volts;
  Origin origin{};
};

/// `IC=` of a capacitor, V from node a to b, or of an inductor, A from a to b.
struct InitialCondition {
  Kind kind;
  int64_t element;
  double value;
};

/// An element that other voltages or currents of the circuit drive, with the convention of Sources: a voltage source (E
/// and H cards) holds v(a) − v(b) at its constant and the sum of gain · control, a current source (G and F) draws so
/// much out of a into b. A control is the voltage v(a) − v(b) of its own nodes, or the current of a voltage source.
struct ControlledSource {
  struct Control {
    double gain = 0;  ///< 1, S or Ω
    NodeId a = kGround, b = kGround;
    int64_t source = -1;  ///< index of a voltage source, whose current from its node a through it to b; −1: none
  };

  Kind kind;  ///< kVoltageSource or kCurrentSource
  NodeId a, b;
  double constant = 0;  ///< V or A
  std::vector<Control> controls = {};
  Origin origin{};
  std::string path = {};  ///< of the instance that it belongs to, as in InstanceMark
};

/// A K card: a mutual inductance of k · √(La · Lb) between two inductors, which currents into their nodes a add to.
struct Coupling {
  int64_t a, b;  ///< indices of inductors
  double k;      ///< −1 … 1
  Origin origin{};
};

/// `.tran STEP STOP [START [LARGEST]] [UIC]`, seconds; step and stop are zero if the deck has none.
struct TranCard {
  double step = 0, stop = 0;
  double start = 0;    ///< of the results
  double largest = 0;  ///< step to take; 0: not given
  bool uic = false;    ///< start from the initial conditions instead of an operating point
  /// What it tells of omitted times of waveforms.
  TimeFrame frame() const { return step > 0 && stop > 0 ? TimeFrame{step, stop} : kNoFrame; }
};

/// What the reader found worth reporting about a card.
struct ReadFinding {
  bool is_warning;
  std::string code, message;
  std::string place;  ///< "file:line:column"
};

/// The name of an element as typed, or one that was made. It may hold its characters itself: no view of it outlives it.
class CardName {
 public:
  explicit CardName(std::string_view of_text) : of_text_(of_text.data()), size_(of_text.size()) {}
  /// "R12".
  CardName(char letter, int64_t number);

  /// Of a name in a text, as long as that lasts.
  std::string_view view() const { return {of_text_ ? of_text_ : room_, size_}; }
  operator std::string_view() const { return view(); }
  friend bool operator==(const CardName& a, std::string_view b) { return a.view() == b; }
  friend std::ostream& operator<<(std::ostream& out, const CardName& name) { return out << name.view(); }

 private:
  const char* of_text_ = nullptr;  ///< null: the name is in room_
  size_t size_ = 0;
  char room_[24];
};

/// What a circuit has instead of a SPICE text that spells its elements, when it is extracted from a layout: these are
/// called R0, R1, … and so on for each kind.
class MadeNames {
 public:
  virtual ~MadeNames() = default;
  /// A terminal of a cell that a current source stands for.
  struct Sink {
    std::string_view instance, terminal;
    std::string_view cell = {};  ///< that the instance is one of; may be empty
    int64_t number = 0;          ///< of the instance in the order of the layout, the same for all its terminals
  };
  virtual Sink sink(int64_t current_source) const = 0;
  /// K of the name IK that it has; each has its own.
  virtual int64_t number(int64_t current_source) const { return current_source; }
};

/// A flat netlist: the contents of the SPICE text, without interpretation.
struct Circuit {
  std::string title;
  NodeNames nodes;  ///< spelled as first encountered; matching ignores case
  Elements resistors, capacitors, inductors;
  Sources voltage_sources, current_sources;
  std::vector<Waveform> waveforms;
  std::vector<double> dc_v;  ///< of voltage sources, where their values have become those at time 0; otherwise empty
  std::vector<uint8_t> waveform_gives_dc;  ///< per waveform: the DC value of its source is this one's at time 0

  std::vector<LayerCard> layer_cards;
  std::vector<NominalCard> nominal_cards;
  std::vector<NetCard> net_cards;
  double dbu_card = 0;  ///< database units per µm of `* dbu: 2000`, or 0
  TranCard tran;
  std::vector<std::string> print_nodes;  ///< V(…) probes of .print,
  std::vector<Origin> print_origins;     ///< and where they stand, if in a text
  std::vector<ReadFinding> findings;
  std::vector<ReadFinding> tran_findings;  ///< of .tran and .print, which only a simulation carries out
  int64_t skipped_cards = 0;               ///< under --lenient
  Ledger ledger;
  std::vector<InitialCondition> initial_conditions;  ///< by kind, then by element

  /// The texts that origins refer to, kept alive (memory-mapped) as long as the circuit, and then those of waveforms.
  std::vector<std::shared_ptr<const SourceText>> files;
  std::vector<TextRange> text_ranges;           ///< of the first of these, which are the texts of the deck
  std::vector<FileName> waveform_files;         ///< that sources name; of those in subcircuits once per instance
  std::shared_ptr<const MadeNames> made_names;  ///< null where these texts spell the elements

  /// Elements from `first` on belong to the subcircuit instance `path` ("x1.x2."; empty for the top level).
  struct InstanceMark {
    int64_t first;
    std::string path;
  };
  std::array<std::vector<InstanceMark>, kKinds> instances;  ///< per kind, ascending; empty in flat decks

  /// A resistor that stands for `count` equal ones in parallel: M of its card times those of the instances around it.
  struct Copies {
    int64_t resistor;
    double count;
  };
  std::vector<Copies> copies;  ///< where they are not one; by resistor

  std::shared_ptr<const Placement> placement;  ///< of a circuit whose layout is known; null for others

  /// E, F, G and H cards that are neither constant nor a conductance.
  std::vector<ControlledSource> controlled_sources;
  std::vector<Coupling> couplings;  ///< without effect on an operating point

  int64_t node_count() const { return nodes.size(); }
  SpelledName node_name(NodeId id) const { return nodes[id]; }
  const Elements& elements(Kind kind) const;
  Elements& elements(Kind kind) { return const_cast<Elements&>(std::as_const(*this).elements(kind)); }
  int64_t element_count() const;
  /// Adds an element without a waveform that belongs to the instance `path`.
  void add_element(Kind kind, NodeId a, NodeId b, double value, Origin origin, const std::string& path);
  /// How many equal resistors this one stands for.
  double copies_of(int64_t resistor) const;
  /// The subcircuit instance that an element belongs to: "x1.x2.", empty for the top level.
  std::string_view instance_path(Kind kind, int64_t index) const;
  /// The element's name as typed, without its instance path.
  CardName card_name(Kind kind, int64_t index) const;
  /// The name that the text has at an element's origin.
  std::string_view card_name(Origin origin) const;
  /// The same after its instance path.
  std::string element_name(Kind kind, int64_t index) const;
  std::string element_name(const ControlledSource& source) const;
  /// "file:line:column" of a card.
  std::string place(Origin origin) const;
  /// See SourceText: after something has read all of the text.
  void release_pages() const;
};

}  // namespace gridiron
