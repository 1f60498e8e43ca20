/* Represents the command outside the guest: its streams, its signals and its exit are those of the command in the
 * guest. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "host.h"
#include "host_ask.h"
#include "host_command.h"
#include "host_qemu.h"
#include "host_terminal.h"
#include "machine.h"
#include "protocol.h"
#include "start.h"
#include "stream.h"
#include "wire.h"

#define LAST_WORDS 2048
/* Most bytes of frames that wait to be sent. If a guest does not read them, its own frames are not read either. */
#define MOST_WAITING (1u << 20)

struct host {
  struct virtual_machine machine;
  struct wire wire;
  struct start start;
  bool tells;
  struct source in;
  struct asking asking;
  struct sink out[3]; /* of descriptor 0 if only that one is a terminal */
  int signals;
  bool greeted, started, exited;
  uint8_t status, signal;
  uint64_t deadline;
  char said[LAST_WORDS];
  size_t said_length;
};

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Ends by a signal, so that the launcher reports exactly that signal. */
static _Noreturn void end_by(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  kill(getpid(), number);
  _exit(128 + number);
}

/* Attack: the guest puts orders to the terminal into lines that are Holdfast's. */
static void make_plain(char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((text[i] < ' ' && text[i] != '\n') || text[i] == 127) text[i] = ' ';
}

static _Noreturn void fail(struct host *host, const char *why) {
  terminal_back();
  if (host->machine.pid > 0) kill(host->machine.pid, SIGKILL);
  dprintf(2, "holdfast: the virtual machine %s\n", why);
  make_plain(host->said, host->said_length);
  if (host->said_length) dprintf(2, "holdfast: its last words: %.*s\n", (int)host->said_length, host->said);
  end_by(ENDS_FAILED);
}

static _Noreturn void leave(const struct host *host) {
  terminal_back();
  kill(host->machine.pid, SIGKILL);
  /* No core is written here, and the last signal numbers have another meaning. */
  if (host->signal && host->signal < ENDS_NOT_EXECUTABLE) end_by(host->signal);
  _exit(host->signal ? 128 + host->signal : host->status);
}

static void not_found(struct host *host, const uint8_t *payload) {
  uint32_t error;
  memcpy(&error, payload, 4);
  terminal_back();
  kill(host->machine.pid, SIGKILL);
  end_by(error == ENOENT || error == ENOTDIR ? ENDS_NOT_FOUND : ENDS_NOT_EXECUTABLE);
}

/* Sent only now, because it contains the current time. */
static void greet(struct host *host) {
  struct timespec now;
  if (host->greeted) fail(host, "sent an invalid message");
  host->greeted = true;
  clock_gettime(CLOCK_REALTIME, &now);
  host->start.number[N_SECONDS] = (uint64_t)now.tv_sec;
  host->start.number[N_NANOSECONDS] = (uint64_t)now.tv_nsec;
  struct blob start = start_encode(&host->start);
  if (start.length > MAX_START) fail(host, "accepts no command and environment of more than 8 MiB");
  wire_send(&host->wire, F_START, start.bytes, start.length);
}

static void hear_taken(struct host *host, const uint8_t *payload) {
  uint32_t taken;
  memcpy(&taken, payload + 1, 4);
  if (payload[0] != 0 || taken > WINDOW - host->in.credit) fail(host, "sent an invalid message");
  host->in.credit += taken;
}

static void hear_data(struct host *host, const uint8_t *payload, size_t length) {
  uint8_t stream = payload[0];
  if (stream > 2 || !sink_take(&host->out[stream], payload + 1, length - 1)) fail(host, "sent an invalid message");
}

/* Stops the job outside, because the command has stopped. */
static void stop_too(void) {
  terminal_back();
  kill(getpid(), SIGSTOP);
}

static void hear_started(struct host *host, const uint8_t *payload) {
  uint64_t since;
  memcpy(&since, payload, sizeof since);
  if (host->started) fail(host, "sent an invalid message");
  host->started = true;
  if (host->tells) dprintf(2, "holdfast: the command began %llu microseconds after the kernel of the guest\n", (unsigned long long)since / 1000);
  if (is_raw(host->start.number[N_TERMINALS])) terminal_raw();
}

static void hear_frame(void *context, enum frame kind, uint8_t *payload, size_t length) {
  struct host *host = context;
  static const uint8_t lengths[] = {[F_TAKEN] = 5, [F_CLOSED] = 1, [F_STARTED] = 8, [F_NOT_FOUND] = 4, [F_EXIT] = 2};
  if (host->exited || (length > MAX_PAYLOAD && kind != F_ASK) || (kind < sizeof lengths && lengths[kind] && lengths[kind] != length) || (kind == F_DATA && length < 2)) fail(host, "sent an invalid message");
  char text[300];
  switch (kind) {
    case F_HELLO:
      return greet(host);
    case F_DATA:
      return hear_data(host, payload, length);
    case F_TAKEN:
      return hear_taken(host, payload);
    case F_CLOSED:
      return source_close(&host->in);
    case F_STARTED:
      return hear_started(host, payload);
    case F_NOT_FOUND:
      return not_found(host, payload);
    case F_STOPPED:
      return stop_too();
    case F_EXIT:
      host->exited = true;
      host->status = payload[0];
      host->signal = payload[1];
      return;
    case F_FAILED:
      snprintf(text, sizeof text, "cannot run the command: %.*s", length < 200 ? (int)length : 200, (const char *)payload);
      make_plain(text, strlen(text));
      fail(host, text);
    case F_ASK:
      if (!host->start.guard.length || !ask(&host->asking, &host->wire, payload, length)) fail(host, "sent an invalid message");
      return;
    default:
      fail(host, "sent an invalid message");
  }
}

static void send_size(struct host *host) {
  struct winsize size;
  for (int fd = 0; fd <= 2; fd++)
    if (host->start.number[N_TERMINALS] >> fd & 1 && ioctl(fd, TIOCGWINSZ, &size) == 0) {
      uint16_t payload[2] = {size.ws_row, size.ws_col};
      return wire_send(&host->wire, F_SIZE, payload, sizeof payload);
    }
}

static void go_on(struct host *host) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t payload[2] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec};
  if (host->started && is_raw(host->start.number[N_TERMINALS])) terminal_raw();
  wire_send(&host->wire, F_CONTINUE, payload, sizeof payload);
  send_size(host);
}

/* Before the command runs, no program can handle these signals, so they end this process. */
static bool is_final(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void hear_signals(struct host *host) {
  struct signalfd_siginfo info;
  while (read(host->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    uint8_t number = (uint8_t)info.ssi_signo;
    if (number == SIGCHLD) hear_askers(&host->asking, &host->wire);
    if (number == SIGCHLD || number == SIGPIPE) continue;
    if (host->wire.out_length > MOST_WAITING) continue;
    if (!host->started && is_final(number)) {
      kill(host->machine.pid, SIGKILL);
      end_by(number);
    }
    if (number == SIGCONT) go_on(host);
    else if (number == SIGWINCH) send_size(host);
    else wire_send(&host->wire, F_SIGNAL, &number, 1);
  }
}

static void hear_machine(struct host *host) {
  char bytes[1024];
  ssize_t got = read(host->machine.output, bytes, sizeof bytes);
  if (got <= 0) {
    close(host->machine.output);
    host->machine.output = -1;
    return;
  }
  size_t new = (size_t)got, kept = host->said_length + new > LAST_WORDS ? LAST_WORDS - new : host->said_length;
  memmove(host->said, host->said + host->said_length - kept, kept);
  memcpy(host->said + kept, bytes, new);
  host->said_length = kept + new;
}

/* The machine's last words may arrive after its port has closed. Attack: a machine that keeps talking, so that no
 * signal is handled. */
static void lose_machine(struct host *host) {
  for (uint64_t until = now_ms() + 1000; host->machine.output >= 0 && now_ms() < until;) {
    struct pollfd said = {host->machine.output, POLLIN, 0};
    if (poll(&said, 1, 1000) < 1) break;
    hear_machine(host);
  }
  fail(host, host->started ? "has ended before its command" : "has ended before its command began");
}

static void read_input(struct host *host) {
  if (source_read(&host->in, &host->wire)) return;
  host->in.fd = -1;
  wire_send(&host->wire, F_END, &host->in.stream, 1);
}

static void turn(struct host *host) {
  bool readable = host->started && !host->exited && host->wire.out_length < MOST_WAITING && source_wants(&host->in);
  struct pollfd fds[7] = {
      {host->exited ? -1 : host->wire.fd, (short)((host->wire.out_length < MOST_WAITING ? POLLIN : 0) | (host->wire.out_length ? POLLOUT : 0)), 0},
      {host->signals, POLLIN, 0},
      {host->machine.output, POLLIN, 0},
      {readable ? host->in.fd : -1, POLLIN, 0},
  };
  for (int i = 0; i < 3; i++) fds[4 + i] = (struct pollfd){sink_wants(&host->out[i]) ? host->out[i].fd : -1, POLLOUT, 0};
  uint64_t now = now_ms();
  int timeout = host->started ? -1 : now >= host->deadline ? 0 : (int)(host->deadline - now);
  int ready = poll(fds, 7, timeout);
  if (ready == 0 && now_ms() >= host->deadline) fail(host, "did not start in time");
  if (ready <= 0) return;
  if (fds[1].revents) hear_signals(host);
  if (fds[2].revents) hear_machine(host);
  if (fds[3].revents) read_input(host);
  for (int i = 0; i < 3; i++)
    if (fds[4 + i].revents) sink_write(&host->out[i], &host->wire);
  if (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) wire_receive(&host->wire, (struct hearing){hear_frame, host});
  if (!host->exited) wire_flush(&host->wire);
  for (int i = 0; i < 3; i++)
    if (host->out[i].fd < 0 && host->out[i].length) sink_write(&host->out[i], &host->wire);
  if (host->wire.broken && !host->exited) lose_machine(host);
}

static int take_signals(void) {
  sigset_t all;
  sigfillset(&all);
  /* Reading in the background has to stop this process, as it would stop any other. */
  sigdelset(&all, SIGTTIN);
  sigdelset(&all, SIGTTOU);
  sigdelset(&all, ENDS_FAILED);
  sigprocmask(SIG_SETMASK, &all, NULL);
  return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

int run_host(int argc, char **argv) {
  static struct host host;
  static struct machine machine;
  for (int limit = N_PROCESSES; limit <= N_FILE_SIZE; limit++) host.start.number[limit] = UNLIMITED;
  const char *wrong = machine_read(argv[2], &machine, &host.start);
  if (wrong) fail(&host, wrong);
  host.tells = machine.tells;
  signal(SIGPIPE, SIG_IGN);
  host.signals = take_signals();
  host.deadline = now_ms() + machine.patience;
  if (host.signals < 0 || !start_machine(&machine, &host.machine)) fail(&host, "cannot be started");
  if (!describe_command(&host.start, argv + 4)) fail(&host, "cannot be described");
  wire_open(&host.wire, host.machine.port, MAX_ASK);
  host.in = (struct source){0, 0, WINDOW};
  for (int i = 0; i < 3; i++) sink_open(&host.out[i], (uint8_t)i, i);
  while (!host.exited || sink_wants(&host.out[0]) || sink_wants(&host.out[1]) || sink_wants(&host.out[2])) turn(&host);
  leave(&host);
}
