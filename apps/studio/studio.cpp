#include "apps/studio/studio.h"

#include "apps/studio/server.h"

namespace tepui::studio {

void run_studio(const StudioOptions& options, const Context& context) { Server(options, context).run(); }

}  // namespace tepui::studio
