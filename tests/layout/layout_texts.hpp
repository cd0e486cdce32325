// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layout/chip.hpp"
#include "layout/def/def_file.hpp"
#include "layout/lef/lef_file.hpp"
#include "layout/library.hpp"
#include "support/error.hpp"

namespace gridiron::layout::test {

using Texts = std::vector<std::pair<std::string, std::string>>;  ///< names and contents

inline Library library_of(const Texts& files) {
  std::vector<std::shared_ptr<const SourceText>> texts;
  for (const auto& [name, text] : files) texts.push_back(SourceText::from_string(text, name));
  return read_lef_texts(texts);
}
inline Library library_of(const std::string& text) { return library_of(Texts{{"t.lef", text}}); }

/// Three metal layers, 1000 database units per µm.
inline const char* technology() {
  return R"(VERSION 5.8 ;
BUSBITCHARS "[]" ;
DIVIDERCHAR "/" ;
UNITS
  DATABASE MICRONS 1000 ;
END UNITS
MANUFACTURINGGRID 0.005 ;
LAYER m1
  TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 0.2 ; WIDTH 0.1 ; RESISTANCE RPERSQ 0.5 ;
END m1
LAYER v1
  TYPE CUT ; RESISTANCE 4 ;
END v1
LAYER m2
  TYPE ROUTING ; DIRECTION VERTICAL ; PITCH 0.2 0.3 ; WIDTH 0.1 ; RESISTANCE RPERSQ 0.25 ;
END m2
LAYER v2
  TYPE CUT ;
END v2
LAYER m3
  TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 0.4 ; WIDTH 0.2 ;
END m3
VIA v12 DEFAULT
  RESISTANCE 3 ;
  LAYER m1 ; RECT -0.1 -0.05 0.1 0.05 ;
  LAYER v1 ; RECT -0.04 -0.04 0.04 0.04 ;
  LAYER m2 ; RECT -0.05 -0.1 0.05 0.1 ;
END v12
VIARULE gen12 GENERATE
  LAYER m1 ; ENCLOSURE 0.01 0.01 ;
  LAYER m2 ; ENCLOSURE 0.01 0.01 ;
  LAYER v1 ; RECT -0.05 -0.05 0.05 0.05 ; SPACING 0.2 BY 0.2 ; RESISTANCE 5 ;
END gen12
)";
}

/// The technology, with macros behind it.
inline Library library_with(const std::string& macros) { return library_of(technology() + macros + "END LIBRARY\n"); }

inline const char* inverter() {
  return R"(MACRO INV
  CLASS CORE ;
  SIZE 2 BY 3 ;
  PIN VDD
    USE POWER ;
    PORT
      LAYER m1 ; RECT 0 2.9 2 3.1 ;
    END
  END VDD
END INV
)";
}

/// With terminals of both nets.
inline std::string inverter_with_ground() {
  return R"(MACRO INV
  CLASS CORE ;
  SIZE 2 BY 3 ;
  PIN VDD
    USE POWER ;
    PORT
      LAYER m1 ; RECT 0 2.9 2 3.1 ;
    END
  END VDD
  PIN VSS
    USE GROUND ;
    PORT
      LAYER m1 ; RECT 0 -0.1 2 0.1 ;
    END
  END VSS
END INV
)";
}

/// A design with these sections.
inline std::string design(const std::string& sections) {
  return "VERSION 5.8 ;\nDESIGN chip ;\nUNITS DISTANCE MICRONS 1000 ;\nDIEAREA ( 0 0 ) ( 10000 20000 ) ;\n" + sections +
         "END DESIGN\n";
}

inline Chip chip_of(const std::string& text, const Library& library, DefLimits limits = {}) {
  return read_def_text(SourceText::from_string(text, "chip.def"), library, limits);
}

/// With INV as its only macro.
inline Chip chip_with(const std::string& sections) {
  static const Library kLibrary = library_with(inverter());
  return chip_of(design(sections), kLibrary);
}

/// With one special net VDD that has these wires.
inline SpecialNet net_with(const std::string& wires, const std::string& before = "") {
  return chip_with(before + "SPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER\n" + wires + " ;\nEND SPECIALNETS\n")
      .nets.at(0);
}

/// What an InputError says; "no error".
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace gridiron::layout::test
