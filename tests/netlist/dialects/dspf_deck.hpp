// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "tests/netlist/dialects/deck_pair.hpp"
#include "tests/netlist/dialects/random.hpp"

namespace gridiron::test {

/// What extraction tells of a node.
struct TraceOfNode {
  double x = 0, y = 0;  ///< µm
  std::string layer;
  std::string instance, pin;
  bool is_placed = false, has_layer = false;
};

/// A random extracted deck, its plain cards, and what its comments and annotations mean.
class DspfDeck {
 public:
  explicit DspfDeck(unsigned seed) : random_(seed) {}

  std::string written, plain, top;
  std::map<std::string, TraceOfNode> traces;  ///< by node, in lower case
  std::map<std::string, double> widths;       ///< µm, by resistor

  void make() {
    const bool in_subckt = random_.chance(0.5);
    const std::string net = random_.pick(std::vector<std::string>{"VDD", "u1/VDDA", "vdd[3]", "core<0>", "N_12"});
    top = in_subckt ? "chip_top" : "";
    nodes(net);
    header(net, in_subckt);
    std::vector<std::string> comments = comments_of_nodes(), cards = resistors();
    for (int i = 0, n = random_.integer(0, 3); i < n; ++i) cards.push_back(capacitor(i));
    if (random_.chance(0.3)) {  // some tools write them where the node is first used
      comments.insert(comments.end(), cards.begin(), cards.end());
      random_.shuffle(comments);
      cards.clear();
    }
    for (const auto* lines : {&comments, &cards})
      for (const std::string& line : *lines) written += line + "\n";
    if (in_subckt) written += random_.any_case(".ends") + (random_.chance(0.5) ? " chip_top" : "") + "\n";
    loads();
    written += ".end\n";
    plain = "* plain\n" + plain + ".end\n";
  }

 private:
  struct Node {
    std::string name;
    TraceOfNode trace;
    enum { comment, annotation, nothing } told;
  };

  std::string spelled(const std::string& name) { return random_.any_case(name); }
  double place() { return std::round(random_.uniform(0, 500) * 1000) / 1000; }

  void nodes(const std::string& net) {
    const std::string sign = random_.pick(std::vector<std::string>{":", "#"});
    for (int i = 0, n = random_.integer(4, 20); i < n; ++i) {
      Node node{i == 0 ? net : fmt::format("{}{}{}", net, sign, i), {}, Node::nothing};
      if (i > 0 && random_.chance(0.25)) {
        node.trace.instance = fmt::format("XI{}/M{}", i, random_.integer(1, 9));
        node.trace.pin = random_.pick(std::vector<std::string>{"VDD", "s", "vdd!"});
        node.name = node.trace.instance + ":" + node.trace.pin;
      }
      node.trace.x = place(), node.trace.y = place();
      node.trace.layer = random_.pick(layers_);
      node.told = node.trace.instance.empty() ? random_.pick(std::vector<decltype(node.told)>{
                                                    Node::comment, Node::comment, Node::annotation, Node::nothing})
                                              : Node::comment;
      if (node.told == Node::annotation && placed_by_cards_ >= 0 && random_.chance(0.7)) {  // the ends of a via
        const TraceOfNode& other = nodes_[static_cast<size_t>(placed_by_cards_)].trace;
        node.trace.x = other.x, node.trace.y = other.y;
      }
      if (node.told == Node::annotation) placed_by_cards_ = i;
      nodes_.push_back(node);
    }
  }

  void header(const std::string& net, bool in_subckt) {
    written = "*|DSPF 1.5\n*|DESIGN \"chip (top)\"\n*|DATE \"today\"\n*|VENDOR \"none\"\n*|DIVIDER /\n*|DELIMITER :\n";
    if (random_.chance(0.3)) written += "*|BUSBIT []\n* a comment ( of another kind\n";
    if (in_subckt) written += random_.any_case(".subckt") + " chip_top " + spelled(net) + "\n";
    written += random_.any_case("*|GROUND_NET") + " 0\n";
    written += random_.any_case("*|NET") + " " + net + " 1.25PF\n";
  }

  std::string number(double v) { return random_.chance(0.2) ? fmt::format("{:e}", v) : fmt::format("{}", v); }

  /// `*|S`, `*|P` and `*|I` of the nodes that have one.
  std::vector<std::string> comments_of_nodes() {
    std::vector<std::string> lines;
    for (Node& n : nodes_) {
      if (n.told != Node::comment) continue;
      const bool with_layer = random_.chance(0.4), with_place = random_.chance(0.9) || !with_layer;
      const std::string at = with_place ? " " + number(n.trace.x) + " " + number(n.trace.y) : "";
      std::string line;
      if (!n.trace.instance.empty())
        line = fmt::format("{} ({} {} {} {} 0.1PF{})", random_.any_case("*|I"), spelled(n.name), n.trace.instance,
                           n.trace.pin, random_.pick(std::vector<std::string>{"I", "B", "X"}), at);
      else if (&n == &nodes_[0])
        line = fmt::format("{} ({} X 0{})", random_.any_case("*|P"), spelled(n.name), at);
      else
        line = fmt::format("{} ({}{})", random_.any_case("*|S"), spelled(n.name), at);
      if (with_layer)
        line +=
            random_.pick(std::vector<std::string>{" // $llx=1 $lly=2 $lvl=", " $lvl=", " // $layer="}) + n.trace.layer;
      if (random_.chance(0.1)) line += "\r";
      lines.push_back(line);
      TraceOfNode& known = trace(n);
      known.is_placed |= with_place, known.has_layer |= with_layer;
      known.instance = n.trace.instance, known.pin = n.trace.pin;
    }
    return lines;
  }

  TraceOfNode& trace(const Node& n) {
    TraceOfNode& known = traces[lower(n.name)];
    known.x = n.trace.x, known.y = n.trace.y, known.layer = n.trace.layer;
    return known;
  }

  static std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  std::string width(double um) {
    switch (random_.integer(0, 3)) {
      case 0:
        return fmt::format("{}u", um);
      case 1:
        return fmt::format("{}n", std::round(um * 1e6) / 1e3);
      case 2:
        return fmt::format("{}", um);
      default:
        return fmt::format("{}e-6", um);
    }
  }

  /// Each node from the second on is joined to one before it.
  std::vector<std::string> resistors() {
    std::vector<std::string> lines, between_vias;
    const int extra = random_.integer(0, 8), all = static_cast<int>(nodes_.size());
    for (int i = 1; i < all + extra; ++i) {
      Node& a = nodes_[static_cast<size_t>(i < all ? i : random_.integer(1, all - 1))];
      Node& b = nodes_[static_cast<size_t>(random_.integer(0, static_cast<int>(&a - nodes_.data()) - 1))];
      const bool is_wire = a.trace.layer == b.trace.layer;
      const double ohms = std::round(random_.uniform(0.01, 50) * 1000) / 1000;
      std::string line = fmt::format("{}{} {} {} {}", random_.chance(0.5) ? "R" : "r", i, spelled(a.name),
                                     spelled(b.name), number(ohms));
      plain += fmt::format("r:r{} {} {} {:.17g}\n", i, a.name, b.name, ohms);
      if (is_wire && random_.chance(0.7)) {
        const double um = std::round(random_.uniform(0.05, 9) * 1000) / 1000;
        const bool with_layer = random_.chance(0.8);
        line += " $w=" + width(um) + " $l=2.5" + (with_layer ? " $lvl=" + a.trace.layer : "");
        widths[fmt::format("r:r{}", i)] = um;
        if (with_layer) trace(a).has_layer = trace(b).has_layer = true;
      } else if (!is_wire) {
        const std::string note = random_.pick(std::vector<std::string>{"", " $a=0.0049 $lvl=77", " $[via]"});
        if (note.ends_with("77")) between_vias.insert(between_vias.end(), {lower(a.name), lower(b.name)});
        line += note;
      }
      if (a.told == Node::annotation && b.told == Node::annotation && a.trace.x == b.trace.x)
        line += fmt::format(" $x={} $y={}", a.trace.x, a.trace.y), trace(a).is_placed = trace(b).is_placed = true;
      lines.push_back(line);
    }
    for (const std::string& name : between_vias)  // where no wire and no comment tells a layer
      if (TraceOfNode& known = traces[name]; !known.has_layer) known.has_layer = true, known.layer = "77";
    return lines;
  }

  std::string capacitor(int i) {
    const std::string& a = random_.pick(nodes_).name;
    const auto [text, value] = random_.pick(
        std::vector<std::pair<std::string, double>>{{"1.5e-15", 1.5e-15}, {"0.25PF", 0.25e-12}, {"3f", 3e-15}});
    plain += fmt::format("c:c{} {} 0 {:.17g}\n", i, a, value);
    return fmt::format("C{} {} 0 {}", i, spelled(a), text);
  }

  void loads() {
    written += "V1 " + nodes_[0].name + " 0 1.1\n";
    plain += "v:v1 " + nodes_[0].name + " 0 1.1\n";
    for (int i = 0, n = random_.integer(0, 4); i < n; ++i) {
      const std::string& a = random_.pick(nodes_).name;
      written += fmt::format("I{} {} 0 {}m\n", i, spelled(a), i + 1);
      plain += fmt::format("i:i{} {} 0 {:.17g}\n", i, a, (i + 1) / 1e3);
    }
  }

  Random random_;
  std::vector<Node> nodes_;
  int placed_by_cards_ = -1;
  const std::vector<std::string> layers_{"1", "2", "10", "m3"};
};

}  // namespace gridiron::test
