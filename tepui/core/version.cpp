#include "tepui/core/version.h"

namespace tepui {

const char* const version = TEPUI_VERSION;

}  // namespace tepui
