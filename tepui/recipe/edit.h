#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/recipe/json_path.h"

// Edits of a recipe's text. An edit is a splice: it changes the bytes that it must and no others, so that comments, the
// order of keys, line ends and spelling stay as their author left them. What the new text means is for the parser to
// say: an edit only sees to it that it is JSON.

namespace tepui {

/// One change of a text: the bytes from `begin` to `end` become `with`.
struct Splice {
  size_t begin = 0, end = 0;
  std::string with = {};
  friend bool operator==(const Splice&, const Splice&) = default;
};

/// A key and the text of its value.
struct NamedText {
  std::string key, value;
};

std::string spliced(std::string_view text, const Splice& splice);
/// Several of one text: in rising order, none overlapping another.
std::string spliced(std::string_view text, const std::vector<Splice>& splices);

/// The splice that takes the changed text back to `text`.
Splice inverse(std::string_view text, const Splice& splice);

/// Gives the value at these keys another text, which must be JSON. A key that is not there is added: at the end of its
/// object or, at the top of a recipe, where recipes have it. Objects that should hold it are added, too. An index of a
/// list must be there, or be the next one.
Splice set_value(const Source& source, const JsonPath& path, std::string_view value);

/// Adds keys, none of which is there, behind those of the object at these keys; where there is no such object, it is
/// added, too. Their values are JSON.
Splice add_members(const Source& source, const JsonPath& object, const std::vector<NamedText>& members);

/// Takes a key and its value out of its object, or a value out of its list. Comments around it stay.
Splice remove_value(const Source& source, const JsonPath& path);

/// The keys that a name of the command line means, as --set has it: a variable, or "node.parameter"; also "seed",
/// "title", "doc", "resolution", and with their place "world.size", "look.biome", "vars.age", "nodes.rock",
/// "outputs.mesa.tif".
JsonPath path_of_name(const Json& document, const std::string& name);

/// A word of the command line as JSON text: as it is where it is JSON, in quotes otherwise.
std::string value_of_word(const std::string& word);

}  // namespace tepui
