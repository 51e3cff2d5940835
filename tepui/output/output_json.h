#pragma once

#include <string>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/graph/value.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The names of an output's options.
const std::vector<std::string>& output_option_names();

/// What an output's object calls the node that it is made from: "from", or "frames" or "timelapse" of its stages.
/// Refuses none and several.
std::string output_source_key(const JsonMember& output);

/// The options that an output's object holds; its other keys are left alone. Refuses, at the option's place, what the
/// file's format does not take.
OutputParams output_options(const Json& output, const std::string& file, const Kind& kind = kind_of<Terrain>());

/// The same from "name=value" words of the command line.
OutputParams output_options(const std::vector<std::string>& words, const std::string& file,
                            const Kind& kind = kind_of<Terrain>());

/// The words as an object, each value as a recipe would hold it; `option` is the command line's, for messages.
Json output_words(const std::vector<std::string>& words, const std::string& option);

}  // namespace tepui
