#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/graph/facts.h"
#include "tepui/graph/value.h"

// What the registry knows of an operator, deduced from its function: ports and output from the signature, parameters
// from describe().

namespace tepui {

struct Port {
  std::string name;
  const Kind* kind = nullptr;
  bool optional = false;
  bool list = false;
};

/// "terrain, optional".
std::string port_text(const Port& port);

/// All an operator is given: values per port (none for an open optional port, several for a list), one parameter value
/// per field.
struct OperatorCall {
  const Frame* world = nullptr;
  std::vector<std::vector<Value>> inputs;
  std::vector<std::vector<const NodeFacts*>> facts;  ///< of the values that the inputs are, or are a layer of
  std::vector<ParamValue> params;
};

/// Where the land on each port lies as a whole; nothing for what is no land.
using LandFrames = std::vector<std::vector<std::optional<Frame>>>;

/// What an operator says whose land lies on other samples than that on its first port, so that windows of it can be
/// computed.
struct Framing {
  /// Where all of its land lies.
  std::function<Frame(const LandFrames& at, const std::vector<ParamValue>& params)> frame{};

  // Of an operator whose samples are not those of its first port; one that has them at the same place needs neither.
  /// The samples of the land on the first port that a window depends on. Of other lands it is given none.
  std::function<Frame(const LandFrames& at, const std::vector<ParamValue>& params, const Frame& window)> source{};
  /// The window, from these samples.
  std::function<Value(const OperatorCall& call, const LandFrames& at, const Frame& window, const Context& context)>
      run{};
};

/// How coarse a preview is.
struct Coarseness {
  int64_t samples = 0;         ///< on the longer side of lands
  std::optional<double> cell;  ///< metres between them, where the world gives its size
};

struct Operator {
  std::string name;
  std::string module;  ///< the folder of tepui/ that it lies in
  int version = 1;
  std::string citation;  ///< keys of docs/references.bib, separated by spaces
  bool takes_world = false;
  bool partial = false;  ///< it gives only a part of what it takes, so nobody chooses it but by name
  std::vector<Port> inputs;
  const Kind* output = nullptr;
  ParamTable params;
  std::function<Value(const OperatorCall&, const Context&)> run;

  /// How far it looks with these parameters, and, where that is a window, how many samples on each side of land that
  /// lies as the frame says.
  std::function<Reach(const std::vector<ParamValue>& params)> reach{};
  std::function<Halo(const std::vector<ParamValue>& params, const Frame& frame)> halo{};
  /// Of an operator whose land lies elsewhere than that on its first port.
  std::optional<Framing> framing{};
  /// By port, of land that it wants on samples of its own: which, for land that lies as the frame says. They are of the
  /// same world.
  std::map<size_t, std::function<Frame(const std::vector<ParamValue>& params, const Frame& frame)>> lattices{};

  /// Of an operator that says how fine its result is: the parameters of a preview of it.
  std::function<std::vector<ParamValue>(std::vector<ParamValue> params, const Coarseness& preview)> coarser{};
  /// Of an operator that is soon done with a small change: runs it as `run` does, with the help of what it kept when it
  /// was last run for this node, and keeps what will help the next time. The value is that of `run`.
  std::function<Value(const OperatorCall& call, std::shared_ptr<void>& kept, const Context& context)> again{};

  /// Of what it reads beside its inputs: the contents of files that its parameters name. None where there is nothing.
  std::function<Hash(const std::vector<ParamValue>& params)> outside{};
  /// Of an operator whose work is files: whether those that it wrote are still there.
  std::function<bool(const Value& written)> stands{};

  /// The same operator with that hook.
  Operator reading(std::function<Hash(const std::vector<ParamValue>& params)> hook) && {
    outside = std::move(hook);
    return std::move(*this);
  }
  Operator framed(Framing how) && {
    framing = std::move(how);
    return std::move(*this);
  }
  Operator coarsened(decltype(coarser) hook) && {
    coarser = std::move(hook);
    return std::move(*this);
  }
  Operator partly() && {
    partial = true;
    return std::move(*this);
  }
  Operator remembering(decltype(again) hook) && {
    again = std::move(hook);
    return std::move(*this);
  }
};

namespace detail {

/// How one argument of an operator's function is filled. The primary template is the parameter struct.
template <class Arg>
struct PortArgument {
  static constexpr bool is_port = false;
};
template <ValueClass T>
struct PortArgument<const T&> {
  static constexpr bool is_port = true;
  static Port port() { return {"", &kind_of<T>(), false, false}; }
  static const T& get(const std::vector<Value>& values) { return tepui::get<T>(values.front()); }
};
template <class T>
struct PortArgument<const T*> {
  static constexpr bool is_port = true;
  static Port port() { return {"", &kind_of<T>(), true, false}; }
  static const T* get(const std::vector<Value>& values) {
    return values.empty() ? nullptr : &tepui::get<T>(values.front());
  }
};
template <class T>
struct PortArgument<const std::vector<T>&> {
  static constexpr bool is_port = true;
  static Port port() { return {"", &kind_of<T>(), false, true}; }
  static std::vector<T> get(const std::vector<Value>& values) {
    std::vector<T> list;
    for (const Value& value : values) list.push_back(tepui::get<T>(value));
    return list;
  }
};

template <auto Function>
struct Signature;

template <class Out, class... Args, Out (*Function)(Args...)>
struct Signature<Function> {
  using Output = Out;
  using Arguments = std::tuple<Args...>;
  static constexpr size_t count = sizeof...(Args);
  static_assert(count >= 2, "an operator ends in (const Params&, const Context&)");
  using Params = std::remove_cvref_t<std::tuple_element_t<count - 2, Arguments>>;
  static constexpr bool takes_world = std::is_same_v<std::tuple_element_t<0, Arguments>, const Frame&>;
  static constexpr size_t first_port = takes_world ? 1 : 0;
  static constexpr size_t ports = count - 2 - first_port;
};

template <auto Function, size_t... I>
std::vector<Port> ports_of(const std::vector<std::string>& names, std::index_sequence<I...>) {
  using S = Signature<Function>;
  std::vector<Port> ports{PortArgument<std::tuple_element_t<S::first_port + I, typename S::Arguments>>::port()...};
  for (size_t i = 0; i < ports.size(); ++i) ports[i].name = names.at(i);
  return ports;
}

template <auto Function, size_t... I>
Value invoke(const OperatorCall& call, const typename Signature<Function>::Params& params, const Context& context,
             std::index_sequence<I...>) {
  using S = Signature<Function>;
  if constexpr (S::takes_world)
    return Function(
        *call.world,
        PortArgument<std::tuple_element_t<S::first_port + I, typename S::Arguments>>::get(call.inputs[I])..., params,
        context);
  else
    return Function(
        PortArgument<std::tuple_element_t<S::first_port + I, typename S::Arguments>>::get(call.inputs[I])..., params,
        context);
}

}  // namespace detail

/// Describes the operator computed by `Function`: Out f([const Frame& world,] ports..., const Params&, const Context&).
/// A port is a const reference, a pointer (optional) or a vector (list). `place` is "module/name".
template <auto Function>
Operator op(const std::string& place, int revision, std::string citation,
            const std::vector<std::string>& port_names = {}) {
  using S = detail::Signature<Function>;
  using Params = typename S::Params;
  Fields<Params> fields;
  describe(fields);

  Operator result;
  const size_t slash = place.rfind('/');
  result.name = place.substr(slash + 1);
  result.module = slash == std::string::npos ? "" : place.substr(0, slash);
  result.version = revision;
  result.citation = std::move(citation);
  result.takes_world = S::takes_world;
  result.inputs = detail::ports_of<Function>(port_names, std::make_index_sequence<S::ports>());
  result.output = &kind_of<typename S::Output>();
  result.params = fields.table();
  result.reach = [fields](const std::vector<ParamValue>& params) { return fields.reach_of(fields.make(params)); };
  if (fields.has_halo())
    result.halo = [fields](const std::vector<ParamValue>& params, const Frame& frame) {
      return fields.halo_of(fields.make(params), frame);
    };
  result.run = [fields](const OperatorCall& call, const Context& context) -> Value {
    return detail::invoke<Function>(call, fields.make(call.params), context, std::make_index_sequence<S::ports>());
  };
  return result;
}

}  // namespace tepui
