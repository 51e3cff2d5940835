#pragma once  // internal

#include <string>
#include <string_view>
#include <vector>

namespace tepui {

/// Hardness from 0 to 1 of each material, from the base up, as a table in a file tells it. A row is a material and its
/// hardness, which is a number from 0 to 1 or the name of a mineral; or its hardness alone. Materials are numbered from
/// 0 at the base, in any order; or named, and then the rows run from the base up.
///
/// `.csv`: "0, 0.25" or "sandstone; quartz", a row a line; commas, semicolons or tabs; lines that begin with # and a
/// first line "material,hardness" are left out. `.json`: a list of [0, 0.25], {"material": 0, "hardness": 0.25} or
/// 0.25.
///
/// Errors name the file and the row.
std::vector<double> read_hardness_table(const std::string& path, size_t materials);

/// The same from a text; `name` is the file's, and its ending says what it is.
std::vector<double> parse_hardness_table(std::string_view text, const std::string& name, size_t materials);

}  // namespace tepui
