#include "apps/studio/wire.h"

#include <fmt/format.h>

// g++ 12 needs it before asio, and cannot compile asio's coroutines.
#include <utility>
#define BOOST_ASIO_DISABLE_CO_AWAIT

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "tepui/core/error.h"

namespace tepui::studio {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;
using std::chrono::seconds;
using tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr seconds to_ask{5}, to_greet{5}, to_take_a_file{20}, to_move_on{30};
constexpr size_t largest_message = 1 << 20, largest_text = 256 << 10;

constexpr std::string_view common_fields =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src "
    "'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types tepui\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\nConnection: close\r\n";

std::string plain_answer(std::string_view status, std::string_view text) {
  return fmt::format("HTTP/1.1 {}\r\n{}Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}", status, common_fields,
                     text.size(), text);
}

std::string file_answer(const PageFile& file) {
  return fmt::format("HTTP/1.1 200 OK\r\n{}Content-Type: {}\r\n{}Content-Length: {}\r\n\r\n{}", common_fields,
                     file.type, file.gzip ? "Content-Encoding: gzip\r\n" : "", file.bytes.size(), file.bytes);
}

std::string answer(const PageTable& page, const RequestHead& head, Verdict verdict) {
  switch (verdict) {
    case Verdict::page:
      if (const auto file = page.files.find(head.target); file != page.files.end()) return file_answer(file->second);
      [[fallthrough]];
    case Verdict::missing:
      return plain_answer("404 Not Found", "There is no such file.\n");
    case Verdict::forbidden:
      return plain_answer("403 Forbidden", "This is for the studio's own page alone.\n");
    case Verdict::method:
      return plain_answer("405 Method Not Allowed", "Only GET.\n");
    default:
      return plain_answer("400 Bad Request", "This is no request of the studio's page.\n");
  }
}

}  // namespace

class Wire::Io {
 public:
  Io(const WireOptions& options, PageTable page, Listener& listener);
  ~Io();

  class Visitor;
  class Page;

  const WireOptions options_;
  const PageTable page_;
  Listener& listener_;
  Keys keys_;
  size_t sockets_ = 0;  ///< of the wire's thread alone; before what ends with the last of them
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  uint16_t port_ = 0;
  std::atomic<uint64_t> last_peer_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable room_;
  std::map<Peer, std::shared_ptr<Page>> pages_;  ///< those that have been let in

  std::thread thread_;

  void accept();
  std::shared_ptr<Page> find(Peer peer) const {
    const std::lock_guard lock(mutex_);
    const auto found = pages_.find(peer);
    return found == pages_.end() ? nullptr : found->second;
  }
  template <class Act>
  void each(Peer to, const Act& act);
};

/// One connection until it is known what it wants: it gets a file, or becomes a Page.
class Wire::Io::Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(Io& io, tcp::socket socket) : io_(io), stream_(std::move(socket)) { ++io_.sockets_; }
  ~Visitor() {
    if (!passed_on_) --io_.sockets_;
  }

  void run() {
    stream_.expires_after(to_ask);
    asio::async_read_until(stream_, asio::dynamic_buffer(head_, largest_head), "\r\n\r\n",
                           [self = shared_from_this()](error_code error, size_t bytes) { self->asked(error, bytes); });
  }

 private:
  void asked(error_code error, size_t bytes) {
    if (error) return;
    // Nobody who waits for an answer has more to say.
    const std::optional<RequestHead> head = bytes == head_.size() ? parse_head(head_) : std::nullopt;
    const Verdict verdict = head ? judge(*head, io_.port_) : Verdict::nonsense;
    if (verdict == Verdict::live) return pass_on();
    answer_ = answer(io_.page_, head.value_or(RequestHead()), verdict);
    stream_.expires_after(to_take_a_file);
    asio::async_write(stream_, asio::buffer(answer_), [self = shared_from_this()](error_code, size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->drain();
    });
  }

  /// Closing at once, with bytes unread, would take the answer away again.
  void drain() {
    stream_.expires_after(seconds(1));
    answer_.resize(4096);
    stream_.async_read_some(asio::buffer(answer_), [self = shared_from_this()](error_code error, size_t) {
      if (!error && ++self->drained_ < 64) self->drain();
    });
  }

  void pass_on();

  Io& io_;
  beast::tcp_stream stream_;
  std::string head_, answer_;
  int drained_ = 0;
  bool passed_on_ = false;
};

/// A page's socket.
class Wire::Io::Page : public std::enable_shared_from_this<Page> {
 public:
  Page(Io& io, beast::tcp_stream stream, std::string head)
      : io_(io), socket_(std::move(stream)), timer_(io.context_), head_(std::move(head)) {}
  ~Page() { --io_.sockets_; }

  void run() {
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = to_greet;
    limits.idle_timeout = seconds(60);
    limits.keep_alive_pings = true;
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(limits);
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(beast::http::field::sec_websocket_protocol,
                   beast::string_view(subprotocol.data(), subprotocol.size()));
      response.set(beast::http::field::cache_control, "no-store");
    }));
    socket_.auto_fragment(false);
    socket_.read_message_max(largest_greeting);
    timer_.expires_after(to_greet);
    timer_.async_wait([self = weak_from_this()](error_code error) {
      if (const auto page = self.lock(); page && !error && page->peer_ == 0) page->abandon();
    });
    socket_.async_accept(asio::buffer(head_), [self = shared_from_this()](error_code error) {
      if (!error) self->read();
    });
  }

  // With the lock of the wire held.
  Outbox& outbox() { return outbox_; }
  Clock::time_point moved() const { return moved_; }

  /// Sends what waits, if nothing is being sent.
  void pump() {
    if (writing_ || closed_) return;
    {
      const std::lock_guard lock(io_.mutex_);
      if (outbox_.is_overrun()) return abandon();
      const std::optional<Parcel> next = outbox_.next();
      if (!next) {
        if (outbox_.waiting() == 0) moved_ = Clock::now();
        return;
      }
      parcel_ = *next;
      moved_ = Clock::now();
    }
    io_.room_.notify_all();
    writing_ = true;
    socket_.binary(parcel_.binary);
    socket_.async_write(asio::buffer(*parcel_.bytes), [self = shared_from_this()](error_code error, size_t) {
      self->writing_ = false;
      self->parcel_ = {};
      if (error) return self->leave();
      if (self->goodbye_) return self->finish();
      self->pump();
    });
  }

  void heard() {
    if (unheard_ > 0) --unheard_;
    if (!reading_ && !closed_) read();
  }

  /// What is being sent goes first.
  void close(uint16_t code, const std::string& reason) {
    if (goodbye_ || closed_) return;
    goodbye_ = websocket::close_reason(static_cast<websocket::close_code>(code), reason);
    if (!writing_) finish();
  }

  void abandon() {
    beast::get_lowest_layer(socket_).close();
    leave();
  }

 private:
  void read() {
    if (unheard_ >= io_.options_.most_unheard) return;
    reading_ = true;
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, size_t) {
      self->reading_ = false;
      if (error) return self->leave();
      std::string bytes = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (self->closed_ || self->goodbye_) return;
      self->peer_ == 0 ? self->greet(bytes) : self->take(std::move(bytes));
    });
  }

  void greet(const std::string& text) {
    const std::optional<Greeting> greeting = socket_.got_text() ? parse_greeting(text) : std::nullopt;
    if (!greeting) return close(4401, "not a greeting");
    const bool is_ours = io_.page_.build.empty() || greeting->page == io_.page_.build;
    // An older page keeps its token for the page that it loads again.
    if (!is_ours) return close(4409, "the page is of another build");
    const std::optional<std::string> key = io_.keys_.admit(*greeting);
    if (!key) return close(4401, "wrong token or key");
    {
      const std::lock_guard lock(io_.mutex_);
      if (io_.pages_.size() >= io_.options_.most_pages) return close(4429, "too many pages");
      peer_ = ++io_.last_peer_;
      moved_ = Clock::now();
      io_.pages_[peer_] = shared_from_this();
    }
    timer_.cancel();
    socket_.read_message_max(largest_message);
    io_.listener_.greeted(peer_, *key);
    read();
  }

  void take(std::string bytes) {
    const bool is_text = socket_.got_text();
    if (is_text && bytes.size() > largest_text) return close(1009, "too large");
    ++unheard_;
    is_text ? io_.listener_.said(peer_, std::move(bytes)) : io_.listener_.sent(peer_, std::move(bytes));
    read();
  }

  void finish() {
    const websocket::close_reason reason = *goodbye_;
    socket_.async_close(reason, [self = shared_from_this()](error_code) {});
    leave();
  }

  void leave() {
    if (std::exchange(closed_, true)) return;
    timer_.cancel();
    if (peer_ == 0) return;
    asio::post(io_.context_, [self = shared_from_this()] {
      {
        const std::lock_guard lock(self->io_.mutex_);
        self->io_.pages_.erase(self->peer_);
      }
      self->io_.room_.notify_all();
      self->io_.listener_.left(self->peer_);
    });
  }

  Io& io_;
  websocket::stream<beast::tcp_stream, false> socket_;
  asio::steady_timer timer_;
  std::string head_;
  beast::flat_buffer buffer_;
  Peer peer_ = 0;
  Outbox outbox_;
  Clock::time_point moved_ = Clock::now();
  Parcel parcel_;
  size_t unheard_ = 0;
  bool reading_ = false, writing_ = false, closed_ = false;
  std::optional<websocket::close_reason> goodbye_;
};

void Wire::Io::Visitor::pass_on() {
  passed_on_ = true;
  std::make_shared<Page>(io_, std::move(stream_), std::move(head_))->run();
}

template <class Act>
void Wire::Io::each(Peer to, const Act& act) {
  const std::lock_guard lock(mutex_);
  for (const auto& [peer, page] : pages_) {
    if (to != everyone && to != peer) continue;
    act(*page);
    asio::post(context_, [held = page] { held->pump(); });
  }
}

Wire::Io::Io(const WireOptions& options, PageTable page, Listener& listener)
    : options_(options), page_(std::move(page)), listener_(listener) {
  error_code error;
  const tcp::endpoint here(asio::ip::address_v4::loopback(), options.port);
  acceptor_.open(here.protocol(), error);
  // A port that was asked for may still be named by connections that ended.
  if (!error && options.port != 0) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(here, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    refuse(fmt::format("cannot listen on port {} of this machine: {}", options.port, error.message()),
           "leave out '--port' for one that is free");
  port_ = acceptor_.local_endpoint().port();
  accept();
  thread_ = std::thread([this] { context_.run(); });
}

Wire::Io::~Io() {
  asio::post(context_, [this] {
    error_code ignored;
    acceptor_.close(ignored);
    const std::lock_guard lock(mutex_);
    for (const auto& [peer, page] : pages_) page->close(1001, "the program ends");
  });
  // What has been said is sent; who does not take it loses it.
  asio::steady_timer last(context_, seconds(1));
  last.async_wait([this](error_code) { context_.stop(); });
  thread_.join();
  pages_.clear();
}

void Wire::Io::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) {
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (sockets_ < options_.most_sockets) std::make_shared<Visitor>(*this, std::move(socket))->run();
    }
    accept();
  });
}

Wire::Wire(const WireOptions& options, PageTable page, Listener& listener)
    : io_(std::make_unique<Io>(options, std::move(page), listener)) {}

Wire::~Wire() = default;

uint16_t Wire::port() const { return io_->port_; }

const std::string& Wire::token() const { return io_->keys_.token(); }

void Wire::say(Peer to, std::string text, const std::string& slot) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  io_->each(to, [&](Io::Page& page) { page.outbox().say(shared, slot); });
}

void Wire::queue(uint64_t generation, std::string bytes, bool binary) {
  const Parcel parcel{std::make_shared<const std::string>(std::move(bytes)), binary};
  io_->each(everyone, [&](Io::Page& page) { page.outbox().queue(generation, parcel); });
}

void Wire::begin(uint64_t generation) {
  io_->each(everyone, [&](Io::Page& page) { page.outbox().begin(generation); });
  io_->room_.notify_all();
}

void Wire::credit(Peer peer, uint64_t bytes) {
  io_->each(peer, [&](Io::Page& page) { page.outbox().credit(bytes); });
}

void Wire::heard(Peer peer) {
  if (const auto page = io_->find(peer)) asio::post(io_->context_, [page] { page->heard(); });
}

void Wire::close(Peer peer, uint16_t code, const std::string& reason) {
  if (const auto page = io_->find(peer)) asio::post(io_->context_, [page, code, reason] { page->close(code, reason); });
}

void Wire::wait_for_room(const Context& context) {
  std::unique_lock lock(io_->mutex_);
  for (;;) {
    context.check();
    const auto full =
        std::ranges::find_if(io_->pages_, [](const auto& page) { return page.second->outbox().is_full(); });
    if (full == io_->pages_.end()) return;
    if (Clock::now() - full->second->moved() > to_move_on)
      asio::post(io_->context_, [page = full->second] { page->abandon(); });
    io_->room_.wait_for(lock, std::chrono::milliseconds(20));
  }
}

}  // namespace tepui::studio
