#pragma once

#include "apps/studio/frames.h"
#include "apps/studio/probe.h"
#include "apps/studio/request.h"

namespace tepui::studio {

/// A picture of what is shown, by the path tracer.
struct StillJob {
  uint64_t generation = 0;
  Snapshot shown;
  PictureParams picture;  ///< with the camera of the page
};

/// The recipe's look from the camera of a page; refuses sizes and samples that nobody waits for.
PictureParams still_picture(const Plan& plan, const std::string& node, const Request& request);

/// Sends the picture again and again, each time with twice as many samples.
void send_still(const StillJob& job, FrameSink& sink, const Context& context);

}  // namespace tepui::studio
