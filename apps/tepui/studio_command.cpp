// studio: a recipe's land in the browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "tepui/core/error.h"
#ifdef TEPUI_STUDIO
#include "apps/studio/studio.h"
#endif

namespace tepui::app {

#ifdef TEPUI_STUDIO

namespace {

/// The desktop's browser, where there is a desktop. The address is in no command line that others can read: it has the
/// token in it, so the browser is given a file of the user's own that leads there.
class OpenedBrowser {
 public:
  ~OpenedBrowser() {
    if (!page_.empty()) unlink(page_.c_str());
  }

  void open(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    const char* own = std::getenv("XDG_RUNTIME_DIR");
    std::string page = std::string(own != nullptr ? own : "/tmp") + "/tepui-studio-XXXXXX.html";
    const int file = mkstemps(page.data(), 5);
    if (file < 0) return;
    page_ = page;
    const std::string text = fmt::format(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><title>Tepui "
        "studio</title><meta http-equiv=\"refresh\" content=\"0;url={0}\"><a href=\"{0}\">Tepui studio</a>\n",
        url);
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    if (written) spawn(page);
  }

 private:
  static void spawn(std::string page) {
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    std::string program = "xdg-open";
    char* words[] = {program.data(), page.data(), nullptr};
    pid_t child = 0;
    posix_spawnp(&child, program.c_str(), &quiet, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&quiet);
  }

  std::string page_;
};

}  // namespace

void studio(const StudioCommand& options, const Invocation& call) {
  const std::unique_ptr<DiskCache> cache = open_cache(call.cache);
  OpenedBrowser browser;
  const auto ready = [&](const std::string& url) {
    if (call.json)
      print_json(Ordered{{"url", url}}, true);
    else
      fmt::print("studio at {}\n", url);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail("cannot write to standard output");
    if (!call.json && !call.quiet) tell("press Ctrl-C to end it\n");
    if (!options.no_open) browser.open(url);
  };
  studio::run_studio({options.recipe, static_cast<uint16_t>(options.port), cache.get(), ready}, call.context);
}

#else

void studio(const StudioCommand&, const Invocation&) {
  refuse("this program was built without the studio", "build it where Boost's headers are (libboost-dev)");
}

#endif

}  // namespace tepui::app
