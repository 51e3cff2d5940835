// The command line: words in, one command called, errors turned into messages and exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "apps/tepui/commands.h"
#include "apps/tepui/failure.h"
#include "apps/tepui/progress.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/params.h"
#include "tepui/core/simd.h"
#include "tepui/core/version.h"
#include "tepui/io/read.h"
#include "tepui/output/output_json.h"
#include "tepui/output/output_kind.h"

namespace tepui::app {

namespace {

CancelFlag cancel{false};

/// The first Ctrl-C asks for a clean stop; a second one ends the program at once.
extern "C" void on_interrupt(int signal) {
  if (cancel.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

struct Common {
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::string simd = "best";
  CacheOptions cache;
};

struct Options {
  RunOptions run;
  SetOptions set;
  MakeOptions make;
  RenderOptions render;
  BakeOptions bake;
  FigureOptions figure;
  ConvertOptions convert;
  DocsOptions docs;
  StudioCommand studio;
  LandFile file;
  InfoOptions info;
  std::string name, other, path;
  bool force = false;
  bool schema = false;
};

/// Plain decimal digits: no sign, no octal, no hexadecimal.
const CLI::Validator whole_number(
    [](std::string& text) {
      if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
        return "'" + text + "' is not a whole number from 0";
      text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
      int64_t number = 0;
      const bool fits = std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
      return fits ? std::string() : "'" + text + "' is more than " + std::to_string(INT64_MAX);
    },
    "NUMBER");

class Program {
 public:
  Program() {
    app_.name("tepui");
    app_.footer("Try:  tepui run mesa -o out    tepui make 'noise | levelling'    tepui COMMAND --help");
    app_.set_version_flag("--version", "tepui " + std::string(version));
    app_.get_formatter()->column_width(22);
    // At most one command a line: `tepui explain render` explains it and does not begin it.
    app_.require_subcommand(0, 1);
    add_build_commands();
    add_registry_commands();
    add_file_commands();
    add_figure_command();
    add_convert_command();
    add_bake_command();
    add_preset_commands();
    add_studio_command();
    add_installation_commands();
  }

  int run(int argc, char** argv) {
    // Not a command: its words are another command's, unfinished.
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
      complete(app_, {argv + 2, argv + argc});
      return 0;
    }
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]) == "--json") common_.json = true;
    try {
      parse(argc, argv);
      if (!help_shown_ && !action_) {
        fmt::print("{}", app_.help());
      } else if (!help_shown_) {
        force_simd_level(common_.simd);
        with_threads(common_.threads, [&] {
          TerminalProgress sink(!common_.json && !common_.quiet, !common_.quiet);
          action_({common_.json, Context(&sink, &cancel), sink, shell_word(argv[0]), common_.cache, common_.quiet});
        });
      }
      if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail("cannot write to standard output");
      return 0;
    } catch (const Error& error) {
      return report_failure(error, common_.json, line_, options_.run.watch);
    } catch (const FoundProblems& problems) {
      return report_problems(problems, common_.json);
    } catch (const std::bad_alloc&) {
      return report_failure(Error(ErrorKind::failure, "out of memory", "lower the resolution"), common_.json, line_,
                            options_.run.watch);
    } catch (const std::exception& error) {
      return report_failure(Error(ErrorKind::failure, error.what()), common_.json, line_, options_.run.watch);
    }
  }

 private:
  void parse(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
      app_.exit(e);
      help_shown_ = true;
    } catch (const CLI::CallForVersion& e) {
      app_.exit(e);
      help_shown_ = true;
    } catch (const CLI::ParseError& error) {
      refuse_words(error, argc, argv);
    }
    line_ = options_.make.line;
  }

  [[noreturn]] void refuse_words(const CLI::ParseError& error, int argc, char** argv) {
    std::vector<std::string> commands;
    bool known = false;
    for (const CLI::App* command : app_.get_subcommands(nullptr)) {
      if (!command->get_group().empty()) commands.push_back(command->get_name());
      known = known || (argc > 1 && command->get_name() == argv[1]);
    }
    const std::string first = argc > 1 ? argv[1] : "";
    if (!known && !first.starts_with('-')) {
      const std::string near = nearest_name(first, commands);
      refuse(fmt::format("there is no command '{}'", first),
             near.empty() ? "see 'tepui --help'" : fmt::format("did you mean '{}'?", near));
    }
    if (known) {
      std::vector<std::string> flags;
      for (const CLI::Option* option : app_.get_subcommand(first)->get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& flag : option->get_lnames()) flags.push_back("--" + flag);
      }
      for (int i = 2; i < argc; ++i) {
        const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (!word.starts_with("--") || word == "--simd" || std::ranges::find(flags, word) != flags.end()) continue;
        refuse(fmt::format("'{}' has no option '{}'", first, word), suggest_name(word, flags));
      }
    }
    const std::string hint = known ? fmt::format("see 'tepui {} --help'", first) : "see 'tepui --help'";
    refuse(error.what(), hint);
  }

  CLI::App* command(const std::string& name, const std::string& about, const std::string& examples,
                    std::function<void(const Invocation&)> action) {
    CLI::App* sub = app_.add_subcommand(name, about);
    sub->footer("\nExamples:\n" + examples);
    sub->add_option("--threads", common_.threads, "Threads to use (default: one per core)")->check(CLI::Range(0, 1024));
    sub->add_option("--simd", common_.simd,
                    "SIMD level: best, AVX3, AVX2, SSE4, SCALAR; the results do not depend on it")
        ->group("");
    sub->add_flag("--json", common_.json, "Print one JSON object on standard output");
    sub->add_flag("-q,--quiet", common_.quiet, "Print only errors and the requested output");
    sub->callback([this, action = std::move(action)] { action_ = action; });
    return sub;
  }

  void add_cache_options(CLI::App* sub) {
    CLI::Option* folder =
        sub->add_option("--cache", common_.cache.folder,
                        "Folder where results are kept between runs (default: the user's cache folder)");
    folder->check([](const std::string& text) { return text.empty() ? "the name is empty" : std::string(); });
    sub->add_flag("--no-cache", common_.cache.off, "Compute and write everything, without the cache")->excludes(folder);
  }

  void add_build_commands() {
    CLI::App* run = command("run", "Make a recipe's land and files",
                            "  tepui run recipes/mesa.json -o out\n  tepui run mesa --seed 5 --set age=0.8\n"
                            "  tepui run my.json --resolution 257 --only preview.png\n"
                            "  tepui run mesa --sweep age=0..1:5 --sweep seed=1..3 -o ages\n"
                            "  tepui run my.json --only land.tif --window 0,0,512,512\n"
                            "  tepui run my.json --watch",
                            [this](const Invocation& call) { app::run(options_.run, call); });
    run->add_option("recipe", options_.run.recipe, "Recipe file, or the name of a preset")
        ->required()
        ->type_name("RECIPE");
    run->add_option("-o,--output", options_.run.folder, "Folder for the outputs")
        ->capture_default_str()
        ->type_name("FOLDER");
    add_changes(run, options_.run);
    add_list(run, "--set", options_.run.set, "Set a variable or node.parameter of the recipe: name=value",
             "NAME=VALUE");
    run->add_option("--only", options_.run.only, "Write only this output (may be repeated)")
        ->expected(1)
        ->take_all()
        ->type_name("OUTPUT");
    CLI::Option* sweep = add_list(run, "--sweep", options_.run.sweeps,
                                  "Run once for each value: a=3,5,7 or seed=1..16 or age=0..1:9 (several: all "
                                  "combinations), each into its own folder",
                                  "SWEEP=VALUES");
    run->add_option("--table", options_.run.table,
                    "With --sweep: the table of the runs, .csv or .json (default: sweep.csv in the output folder)")
        ->type_name("FILE");
    run->add_option("--window", options_.run.window,
                    "Write only this part of the land: its west, south, east and north sides in world metres or % of "
                    "the world's sides; of tiled outputs, the tiles inside it")
        ->type_name("W,S,E,N")
        ->excludes(sweep);
    run->add_flag("--watch", options_.run.watch, "Run again whenever the recipe or a file it reads is saved")
        ->excludes(sweep);
    add_cache_options(run);

    CLI::App* make =
        command("make", "Make land from a single line of operators",
                "  tepui make 'circular_faults faults=999 radius=1..350 | materials count=5 | gradation erosion=0.65'\n"
                "  tepui make 'noise octaves=8 | levelling radius=1%' -o hills.tif -o hills.glb --world 4km\n"
                "  tepui make 'noise sum=ridged' --picture ridge.png --camera ground --biome alpine\n"
                "  tepui make 'noise sum=ridged' --recipe > ridge.json",
                [this](const Invocation& call) { app::make(options_.make, call); });
    make->add_option("line", options_.make.line, "operator name=value ... | operator ...")
        ->required()
        ->type_name("LINE");
    make->add_option("-o,--output", options_.make.outputs,
                     fmt::format("File to write: {} (may be repeated)", fmt::join(value_endings(), ", ")))
        ->expected(1)
        ->take_all();
    make->add_option(
            "--out", options_.make.out,
            "Options of the files, name=value: range, tiles, cog, compression, biome, season, snow_line, colours")
        ->expected(1)
        ->take_all()
        ->type_name("OUT=VALUE");
    make->add_option("--picture", options_.make.picture,
                     "Picture to draw (.png, .webp); a draft unless --samples is given")
        ->type_name("FILE");
    make->add_option("--camera", options_.make.camera, "Camera of the picture, as for render")->type_name("CAMERA");
    make->add_option("--biome", options_.make.biome, "Biome of the picture's colours: desert, alpine, coast, ...")
        ->type_name("BIOME");
    make->add_option("--samples", options_.make.samples, "Light paths per pixel of the picture")->type_name("NUMBER");
    make->add_option("--size", options_.make.size, "Size of the picture in pixels: WxH")->type_name("SIZE");
    add_list(make, "--look", options_.make.look, "Picture parameter, name=value (tepui explain render)", "LOOK=VALUE");
    make->add_option("--world", options_.make.world, "Sides of the world: 2048, 2km, 4kmx2km (default 2048)")
        ->type_name("SIZE");
    make->add_option("--resolution", options_.make.resolution, "Samples on the longer side (default 1025)")
        ->transform(whole_number);
    make->add_option("--seed", options_.make.seed, "Seed: another number gives other land of the same kind")
        ->transform(whole_number);
    make->add_flag("--recipe", options_.make.recipe, "Print the equivalent recipe instead");
    add_cache_options(make);

    CLI::App* check = command("check", "Check a recipe without making anything",
                              "  tepui check recipes/mesa.json\n  tepui check my.json --set age=0.8 --json",
                              [this](const Invocation& call) { app::check(options_.run, call); });
    check->add_option("recipe", options_.run.recipe, "Recipe file, or the name of a preset")
        ->required()
        ->type_name("RECIPE");
    add_changes(check, options_.run);
    add_list(check, "--set", options_.run.set, "As for 'tepui run'", "NAME=VALUE");

    CLI::App* set = command("set", "Edit a recipe file; comments, order and style are kept",
                            "  tepui set my.json age=0.8 rock.count=7 seed=5\n"
                            "  tepui set my.json look.biome=alpine world.size=[4000,4000]\n"
                            "  tepui set my.json --remove land.radius --rename mesa=worn",
                            [this](const Invocation& call) { app::set(options_.set, call); });
    set->add_option("recipe", options_.set.recipe, "Recipe file")->required()->type_name("RECIPE");
    set->add_option(
           "values", options_.set.values,
           "name=value: a variable, node.parameter, seed, resolution, or look., world., outputs., nodes., vars. "
           "and a key")
        ->type_name("NAME=VALUE");
    add_list(set, "--remove", options_.set.removed, "Remove this (may be repeated)", "NAME");
    add_list(set, "--rename", options_.set.renamed, "Rename a node everywhere: node=name (may be repeated)",
             "NODE=NAME");
  }

  void add_registry_commands() {
    CLI::App* ops = command("ops", "List the operators", "  tepui ops\n  tepui ops gradation --json",
                            [this](const Invocation& call) { list_operators(options_.name, call); });
    ops->add_option("name", options_.name, "List only this operator")->type_name("OPERATOR");
    CLI::App* explain = command("explain", "Explain an operator: what it does, its ports and parameters",
                                "  tepui explain circular_faults", [this](const Invocation& call) {
                                  options_.name.empty() ? list_operators("", call) : app::explain(options_.name, call);
                                });
    explain->add_option("name", options_.name, "Operator; without a name, all are listed briefly")
        ->type_name("OPERATOR");
    command("schema", "Print the JSON Schema of recipes, for editors", "  tepui schema > tepui.schema.json",
            [](const Invocation&) { schema(); });
    CLI::App* docs = command("docs", "Write a reference page for every operator, with pictures",
                             "  tepui docs -o reference\n  tepui docs -o reference --only gradation --draft",
                             [this](const Invocation& call) { app::docs(options_.docs, call); });
    docs->add_option("-o,--output", options_.docs.folder, "Folder for the pages")->required()->type_name("FOLDER");
    docs->add_option("--only", options_.docs.only, "Write only this operator's page (may be repeated)")
        ->expected(1)
        ->take_all()
        ->type_name("OPERATOR");
    docs->add_flag("--draft", options_.docs.draft, "Small, quick pictures");
    CLI::App* bench = command("bench", "Time the fast kernels against plain reference versions",
                              "  tepui bench generate/circular_faults\n  tepui bench erode --threads 2 --json",
                              [this](const Invocation& call) { app::bench(options_.name, call); });
    bench->add_option("name", options_.name, "A benchmark, or a prefix that selects several")->type_name("ROW");
  }

  static void add_changes(CLI::App* command, RecipeChanges& changes) {
    command->add_option("--seed", changes.seed, "Use this seed instead of the recipe's")->transform(whole_number);
    command->add_option("--resolution", changes.resolution, "Use this many samples on the world's longer side")
        ->transform(whole_number);
  }

  static void add_reading(CLI::App* command, LandFile& file) {
    std::vector<std::string> names;
    for (const Field& field : fields_of<ReadParams>().table().fields)
      if (field.type != ParamType::file) names.push_back(field.name);
    add_list(
        command, "--in", file.how,
        fmt::format("What the file itself does not say, name=value: {} (tepui explain read)", fmt::join(names, ", ")),
        "READ=VALUE");
    add_changes(command, file.changes);
  }

  /// --set of the recipe alone, or also of what is drawn, which --look alone means.
  static void add_settings(CLI::App* command, RecipeChanges& changes) {
    add_list(command, "--set", changes.set, "Set a variable or node.parameter of the recipe: name=value", "NAME=VALUE");
  }
  static void add_settings(CLI::App* command, RecipeChanges& changes, std::vector<std::string>& look,
                           const std::string& what, const std::string& type = "LOOK=VALUE") {
    add_list(command, "--set", changes.set,
             fmt::format("Set a variable or node.parameter of the recipe, name=value; or {}", what), "SET=VALUE");
    add_list(command, "--look", look, fmt::format("Set only {}, if a recipe variable has the same name", what), type);
  }

  void add_convert_command() {
    ConvertOptions& options = options_.convert;
    CLI::App* convert = command("convert", "Write land, a mesh or lines in another format",
                                "  tepui convert dem.tif land.r16\n"
                                "  tepui convert height.png land.tif --in cell=10m --in range=450..2540\n"
                                "  tepui convert dem.tif tile.png --out tiles=4,4\n  tepui convert model.ply model.glb",
                                [this](const Invocation& call) { app::convert(options_.convert, call); });
    convert->add_option("from", options.file.name, "Land, mesh, lines, or RECIPE#node[.layer]")->required();
    convert->add_option("to", options.output, fmt::format("File to write: {}", fmt::join(value_endings(), ", ")))
        ->required()
        ->type_name("FILE");
    add_reading(convert, options.file);
    add_settings(convert, options.file.changes);
    convert
        ->add_option("--out", options.out,
                     fmt::format("Options of the file, name=value: {}", fmt::join(output_option_names(), ", ")))
        ->expected(1)
        ->take_all()
        ->type_name("OUT=VALUE");
    convert->add_option("--layer", options.layers, "Write only this layer (may be repeated)")->expected(1)->take_all();
    add_cache_options(convert);
  }

  void add_bake_command() {
    BakeOptions& options = options_.bake;
    CLI::App* bake = command("bake", "Bake colour, normal and weight maps of land, a volume or a mesh for engines",
                             "  tepui bake recipes/mesa.json#land -o maps\n"
                             "  tepui bake dem.tif -o maps --set biome=alpine --set size=2048\n"
                             "  tepui bake island.tif -o maps --set biome=coast --sea-level 0 --for unity",
                             [this](const Invocation& call) { app::bake(options_.bake, call); });
    bake->add_option("file", options.file.name, "Land, a volume or a mesh: a file, or RECIPE#node[.layer]")->required();
    add_reading(bake, options.file);
    bake->add_option("-o,--output", options.folder, "Folder for the maps")->required()->type_name("FOLDER");
    add_settings(bake, options.file.changes, options.look,
                 "an option of the maps: size, biome, season, colours, colour, normal, occlusion, roughness, slope, "
                 "weights",
                 "MAP=VALUE");
    bake->add_option("--for", options.engine, "Weights in the form of an engine: unreal, unity, godot, blender")
        ->type_name("ENGINE");
    bake->add_option("--sea-level", options.sea_level, "Height of the sea, metres (default: the recipe's, or none)");
    add_cache_options(bake);
  }

  void add_file_commands() {
    const std::string land = "Land: a file, or RECIPE#node[.layer]", shown = "Land, mesh, or RECIPE#node[.layer]";
    CLI::App* info = command("info", "Describe what a file or a node holds",
                             "  tepui info out/mesa.tif\n  tepui info recipes/mesa.json#rock.material --json\n"
                             "  tepui info tile.png --in encoding=terrarium\n  tepui info dem.tif --stats --csv",
                             [this](const Invocation& call) { app::info(options_.file, options_.info, call); });
    info->add_option("file", options_.file.name, shown)->required();
    add_reading(info, options_.file);
    add_settings(info, options_.file.changes);
    info->add_flag(
        "--stats", options_.info.statistics,
        "Also numbers that characterise the land: quantiles of height and slope, hypsometric integral, and what "
        "its channels say: drainage density, concavity, ksn, Hack's exponent, pits");
    info->add_flag("--csv", options_.info.csv, "Only these numbers, as a table: name, value, unit");
    CLI::App* compare =
        command("compare", "Compare two lands sample by sample",
                "  tepui compare old.tif new.tif\n  tepui compare out/mesa.tif recipes/mesa.json#land --json",
                [this](const Invocation& call) { app::compare(options_.file, options_.other, call); });
    compare->add_option("a", options_.file.name, land)->required();
    compare->add_option("b", options_.other, land)->required();
    add_reading(compare, options_.file);
    add_settings(compare, options_.file.changes);
    CLI::App* render = command("render", "Draw a picture of land, a volume, a mesh or a planet",
                               "  tepui render out/mesa.tif -o mesa.png\n  tepui render recipes/butte.json#land -o "
                               "view.png --draft --camera ground --set sun_azimuth=270\n"
                               "  tepui render dem.tif -o map.png --camera top --colour height --size 1024x1024",
                               [this](const Invocation& call) { app::render(options_.render, call); });
    render->add_option("file", options_.render.file.name, shown)->required();
    add_reading(render, options_.render.file);
    render->add_option("-o,--output", options_.render.output, "Picture to write (.png, .webp)")
        ->required()
        ->type_name("FILE");
    render->add_flag("--draft", options_.render.draft, "A quick preview: a small picture with few samples");
    render->add_option("--size", options_.render.size, "Size of the picture in pixels: WxH")->type_name("SIZE");
    render->add_option("--samples", options_.render.samples, "Light paths per pixel (default: 32)")
        ->type_name("NUMBER");
    render->add_option("--camera", options_.render.camera, "three_quarter, top, front, orbit, ground, free or inside")
        ->type_name("CAMERA");
    render->add_option("--colour", options_.render.colour, "natural, height, hillshade, clay, layer or cover")
        ->type_name("COLOUR");
    render
        ->add_option("--along", options_.render.along,
                     "Lines that the camera inside follows: FILE, RECIPE#node, or #node of the same recipe")
        ->type_name("LINES");
    render
        ->add_option("--scatter", options_.render.scatter,
                     "Points where plants and rocks stand: FILE, RECIPE#node, or #node of the same recipe; several "
                     "times for several")
        ->type_name("LINES");
    add_settings(render, options_.render.file.changes, options_.render.look,
                 "a parameter of the picture (as in a recipe's \"render\")");
    render->add_option("--sea-level", options_.render.sea_level,
                       "Height of the sea, metres (default: the recipe's, or none)");
    for (CLI::App* reader : {info, compare, render}) add_cache_options(reader);
  }

  void add_figure_command() {
    FigureOptions& options = options_.figure;
    CLI::App* figure = command("figure", "Draw a figure: a map or plot of one land, a sheet or animation of several",
                               "  tepui figure map mesa#land -o map.svg\n"
                               "  tepui figure atlas land.tif --rivers rivers.gpkg -o wall.png\n"
                               "  tepui figure hypsometry dem.tif -o curve.csv\n"
                               "  tepui figure sheet mesa#land --sweep beds=3,5,7 -o beds.png\n"
                               "  tepui figure sheet mesa#land --sweep age=0..1:4 --sweep seed=1..5 -o table.png\n"
                               "  tepui figure pair mesa#faults mesa#land -o erosion.png\n"
                               "  tepui figure turntable out/mesa.tif -o mesa.webp --set frames=36\n"
                               "  tepui figure timelapse mesa#land --sweep age=0..1:24 -o wear.webp",
                               [this](const Invocation& call) { app::figure(options_.figure, call); });
    std::string kinds;
    for (const auto& [name, about] : kinds_of_figures()) kinds += (kinds.empty() ? "" : ", ") + name;
    figure->add_option("kind", options.kind, "One of " + kinds)->required()->type_name("KIND");
    figure
        ->add_option("source", options.sources,
                     "Land, mesh, RECIPE#node[.layer], or RECIPE for the node of its first output. A sheet or "
                     "timelapse of one node that has \"every\" shows its stages")
        ->required()
        ->type_name("SOURCE");
    figure
        ->add_option("-o,--output", options.output,
                     "Figure to write: .png, .webp or .svg; animations are .webp; .csv for the numbers of a plot")
        ->required()
        ->type_name("FILE");
    add_list(figure, "--sweep", options.sweeps,
             "Draw one panel per value of a variable: a=3,5,7 or a=1..16 or a=0..1:9 (twice: a table)", "SWEEP=VALUES");
    add_changes(figure, options.changes);
    add_settings(figure, options.changes, options.look,
                 "a parameter of the figure or its pictures (as in a recipe's \"figure\")");
    // The name that --set had here for recipes.
    add_list(figure, "--with", options.with, "Only the recipe's, as --set", "RECIPE=VALUE")->group("");
    figure
        ->add_option("--size", options.size, "Size of the figure in pixels: WxH; of each picture if there are several")
        ->type_name("SIZE");
    figure->add_option("--columns", options.columns, "Columns of a sheet (default: chosen to suit the pictures)")
        ->transform(whole_number);
    add_list(figure, "--caption", options.captions,
             "Caption of the next picture, instead of its node or values (may be repeated)", "CAPTION");
    figure->add_option("--title", options.title, "Title above the figure (default for a sheet: the recipe's)")
        ->type_name("TITLE");
    figure
        ->add_option("--rivers", options.rivers,
                     "Lines that a map or an atlas shows: FILE, RECIPE#node, or #node of the same recipe")
        ->type_name("LINES");
    figure
        ->add_option("--along", options.along,
                     "Lines that the camera inside follows, in a turntable: FILE, RECIPE#node, or #node of the same "
                     "recipe")
        ->type_name("LINES");
    figure->add_option("--sea-level", options.sea_level, "Height of the sea, metres (default: the recipe's)");
    add_list(figure, "--in", options.how, "What the files themselves do not say, as for render", "READ=VALUE");
    add_cache_options(figure);
  }

  static CLI::Option* add_list(CLI::App* command, const std::string& name, std::vector<std::string>& list,
                               const std::string& about, const std::string& type) {
    return command->add_option(name, list, about)->expected(1)->take_all()->type_name(type);
  }

  void add_preset_commands() {
    command("presets", "List the recipes that come with the program", "  tepui presets",
            [](const Invocation& call) { list_presets(call); });
    CLI::App* fresh =
        command("new", "Start a recipe from a preset", "  tepui new mesa -o my.json",
                [this](const Invocation& call) { new_recipe(options_.name, options_.path, options_.force, call); });
    fresh->add_option("preset", options_.name, "See 'tepui presets'")->required()->type_name("PRESET");
    fresh->add_option("-o,--output", options_.path, "Recipe to write")->required()->type_name("FILE");
    fresh->add_flag("--force", options_.force, "Overwrite an existing file");
    CLI::App* rules =
        command("rules", "List the rules by which hoodoos grow, or print one to copy and change",
                "  tepui rules\n  tepui rules goblins > my_rules.json\n  tepui rules --schema > rules.schema.json",
                [this](const Invocation& call) { app::rules(options_.name, options_.schema, call); });
    rules->add_option("name", options_.name, "Print these rules")->type_name("RULES");
    rules->add_flag("--schema", options_.schema, "Print the JSON Schema of files of rules, for editors");
  }

  void add_studio_command() {
    StudioCommand& options = options_.studio;
    CLI::App* studio = command("studio", "Open a recipe's land in the browser and change it there",
                               "  tepui studio\n  tepui studio my.json\n  tepui studio mesa --no-open --port 8123",
                               [this](const Invocation& call) { app::studio(options_.studio, call); });
    studio->add_option("recipe", options.recipe, "Recipe file, or the name of a preset (default: monuments)")
        ->type_name("RECIPE");
    studio->add_option("--port", options.port, "Port on this machine (default: any that is free)")
        ->check(CLI::Range(0, 65535))
        ->type_name("NUMBER");
    studio->add_flag("--no-open", options.no_open, "Only print the address; open no browser");
    add_cache_options(studio);
  }

  /// For installing, hence not in the help.
  void add_installation_commands() {
    CLI::App* completion = command("completion", "Print a shell's completion script", "  . <(tepui completion bash)",
                                   [this](const Invocation&) { completion_script(options_.name); });
    completion->group("");
    completion->add_option("shell", options_.name, "The shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command("manual", "Print the manual page, in roff", "  tepui manual | man -l -", [this](const Invocation&) {
      manual(app_);
    })->group("");
  }

  CLI::App app_{"Terrain from a recipe: the same land every time, for engines and GIS."};
  Common common_;
  Options options_;
  std::function<void(const Invocation&)> action_;
  std::string line_;
  bool help_shown_ = false;
};

}  // namespace

}  // namespace tepui::app

int main(int argc, char** argv) {
  std::signal(SIGINT, tepui::app::on_interrupt);
  std::signal(SIGTERM, tepui::app::on_interrupt);
  // A file larger than the user's limit is an error like a full disk, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  return tepui::app::Program().run(argc, argv);
}
