// SPDX-License-Identifier: Apache-2.0
#pragma once

// .if blocks. Those of the top level are decided where they stand, by the parameters that are defined above: a card of
// a branch that does not apply is not read. Those of subcircuits are decided by each instance.

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "netlist/values/parameters.hpp"
#include "netlist/values/recent_values.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// Conditions of the top level. Internal to netlist/.
class TopConditions {
 public:
  /// `language`: that of the expressions. `first`: where the first condition stands.
  TopConditions(const Deck& deck, Dialect language, Origin first)
      : deck_(deck),
        language_(language),
        first_(first),
        predefined_(deck.files, deck.dialect, language, readings_),
        parameters_(predefined_, &deck.top) {}

  Dialect language() const { return language_; }
  Origin first() const { return first_; }

  /// Errors: InputError, where it depends on what is not defined above.
  bool holds(ast::Text condition, Origin where);

  /// Errors: InputError, where a parameter gets another value after a condition has used it.
  void take_parameters();

  /// Once all is read. Errors: InputError, where a condition took another temperature than the deck's.
  void require_temperature();

 private:
  using Card = std::optional<std::pair<ast::Value, Origin>>;
  using Cards = std::array<Card, TemperatureCard::kKinds>;
  /// Those that stand outside of blocks and sections in the files that are known, wherever there.
  void look_for_temperatures();
  /// The temperature of the deck, as far as it is known, °C.
  double foreseen_temperature();

  const Deck& deck_;
  Dialect language_;
  Origin first_;
  ReadingsOfFiles readings_;  ///< told where the parameters are used otherwise
  Parameters predefined_, parameters_;
  size_t taken_ = 0;            ///< of the top level's parameters
  RecentValues known_;          ///< of conditions, as long as nothing is defined
  size_t known_functions_ = 0;  ///< that were defined then
  Cards temperatures_;
  size_t files_looked_at_ = 0;
  double temperature_ = 0;      ///< that conditions take
  Origin takes_temperature_{};  ///< the first of these
};

/// The blocks of a file that are open where it is being read.
class OpenBlocks {
 public:
  /// Whether cards here belong to the circuit, or to an undecided branch of a subcircuit.
  bool are_live() const { return blocks_.empty() || (blocks_.back().is_live && blocks_.back().is_taken); }
  /// The same of the block that is open last, at its .else or .endif.
  bool last_is_live() const { return blocks_.empty() || blocks_.back().is_live; }

  /// Reads an .if, .elseif, .else or .endif at the top level or in a subcircuit. `branch`: of that subcircuit, in which
  /// the card stands; changed to the branch that it begins or, of an .endif, to the one around. Errors: InputError.
  void read(const ConditionCard& card, Origin where, const File& file, Scope& scope, TopConditions& conditions,
            int32_t& branch);

  /// Errors: InputError, where a block is open that `scope`, or null the file, would end.
  void require_closed(const File& file, const Scope* scope = nullptr) const;

 private:
  struct Block {
    uint64_t offset;
    const Scope* scope;
    bool is_live;         ///< what is around it
    int32_t outer;        ///< the branch around it
    int32_t branch = -1;  ///< the last one, if it is up to the instances
    bool was_taken = false, is_taken = false, has_else = false;
  };
  void begin_branch(Block& block, const ConditionCard& card, Origin where, Scope& scope, TopConditions& conditions,
                    int32_t& branch);

  std::vector<Block> blocks_;
};

/// Which branches of a subcircuit an instance takes, by its parameters, which get those of the branches. Errors:
/// InputError.
std::vector<char> take_branches(const Scope& definition, const Use& use, Parameters& parameters,
                                const std::vector<File>& files);

void add_to_branch(BranchParameter parameter, Scope& scope);

/// Whether a branch in a subcircuit may hold it: all else would not be up to one instance.
bool fits_branch(const StructureCard& card);

/// Cards of branches that no instance takes are no part of the circuit.
void enter_untaken_branches(const Scope& scope, Deck& deck);

}  // namespace gridiron
