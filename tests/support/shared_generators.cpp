#define TEPUI_SHARED_TEMPLATE template
#include "shared_generators.h"
