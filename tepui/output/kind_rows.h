#pragma once  // internal

#include "tepui/output/output_row.h"

// The rows of output_kind.cpp, each in the file of its kind.

namespace tepui {

OutputKind land_output();
OutputKind rock_output();
OutputKind lines_output();
OutputKind volume_output();
OutputKind mesh_output();
OutputKind image_output();
OutputKind files_output();
OutputKind planet_output();

}  // namespace tepui
