#pragma once

#include "tepui/core/json.h"
#include "tepui/core/params.h"
#include "tepui/render/picture/picture.h"

// A recipe's "look": what its pictures have in common. An output's own words win over it, the command line over both.

namespace tepui {

/// The object with those members of the look that it does not have itself and that the table knows.
Json with_look(const Json& object, const Json& look, const ParamTable& table);

/// The parameters of a picture from the object that describes it.
PictureParams picture_from_json(const Json& object, const Json& look);

/// Refuses a look that no picture could have.
void check_look(const Json& look);

}  // namespace tepui
