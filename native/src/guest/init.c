/* PID 1 of the guest. Every failure before the command runs ends the machine, and `host` reports it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "init.h"
#include "give_up.h"
#include "init_command.h"
#include "init_guard.h"
#include "init_modules.h"
#include "init_mounts.h"
#include "init_network.h"
#include "init_programs.h"
#include "protocol.h"
#include "start.h"
#include "stream.h"
#include "wire.h"

#define ADD_ENTROPY 0x40085203u /* RNDADDENTROPY of linux/random.h */

struct guest {
  struct wire wire;
  struct start start;
  struct command command;
  struct guard guard;
  struct sink in;
  struct source out[3];
  bool told, running, over;
  uint8_t result[2];
};

static void seed_random(const struct blob *seed) {
  struct { int entropy, size; uint8_t bytes[64]; } pool = {.entropy = (int)seed->length * 8, .size = (int)seed->length};
  int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);
  if (fd < 0 || seed->length > sizeof pool.bytes) give_up("seed", "/dev/urandom");
  memcpy(pool.bytes, seed->bytes, seed->length);
  if (ioctl(fd, (int)ADD_ENTROPY, &pool)) give_up("seed", "/dev/urandom");
  close(fd);
}

static void set_clock(uint64_t seconds, uint64_t nanoseconds) {
  struct timespec now = {(time_t)seconds, (long)nanoseconds};
  if (clock_settime(CLOCK_REALTIME, &now)) give_up("set", "clock");
}

static void connect_streams(struct guest *guest) {
  struct command *command = &guest->command;
  uint64_t terminals = guest->start.number[N_TERMINALS];
  /* The output of a terminal is sent as that of its first descriptor. */
  int shown = terminals & 2 ? 1 : terminals & 4 ? 2 : 0;
  guest->out[0] = (struct source){0, -1, WINDOW};
  guest->out[1] = (struct source){1, command->out, WINDOW};
  guest->out[2] = (struct source){2, command->err, WINDOW};
  if (command->master >= 0) {
    fcntl(command->master, F_SETFL, O_NONBLOCK);
    guest->out[shown].fd = command->master;
  }
  sink_open(&guest->in, 0, command->in >= 0 ? command->in : command->master);
  guest->in.terminal = command->in < 0;
}

static void begin(struct guest *guest, uint8_t *payload, size_t length) {
  if (guest->told || !start_decode(&guest->start, payload, length)) give_up("read", "what to start");
  guest->told = true;
  const struct start *start = &guest->start;
  set_clock(start->number[N_SECONDS], start->number[N_NANOSECONDS]);
  seed_random(&start->seed);
  if (sethostname(start->hostname, strlen(start->hostname))) give_up("set", "hostname");
  open_interfaces(start);
  open_pids(start);
  mount_inside(start);
  guest->guard.ruleset = list_programs(start);
  start_command(start, &guest->command, &guest->guard);
  connect_streams(guest);
  guest->running = true;
}

static void hear_signal(struct guest *guest, uint8_t number) {
  if (guest->command.pid <= 0) return;
  bool keyboard = number == SIGINT || number == SIGQUIT || number == SIGHUP;
  kill(keyboard || number == SIGTSTP ? -guest->command.pid : guest->command.pid, number);
}

static void hear_continue(struct guest *guest, const uint8_t *payload) {
  uint64_t now[2];
  memcpy(now, payload, sizeof now);
  set_clock(now[0], now[1]);
  if (guest->command.pid > 0) kill(-guest->command.pid, SIGCONT);
}

static void hear_size(struct guest *guest, const uint8_t *payload) {
  uint16_t size[2];
  memcpy(size, payload, sizeof size);
  struct winsize window = {.ws_row = size[0], .ws_col = size[1]};
  if (guest->running && guest->command.master >= 0) ioctl(guest->command.master, TIOCSWINSZ, &window);
}

static void hear_taken(struct guest *guest, const uint8_t *payload) {
  uint32_t taken;
  memcpy(&taken, payload + 1, 4);
  guest->out[payload[0] % 3].credit += taken;
}

static void hear_frame(void *context, enum frame kind, uint8_t *payload, size_t length) {
  struct guest *guest = context;
  switch (kind) {
    case F_START:;
      uint8_t *kept = malloc(length);
      if (!kept) give_up("keep", "what to start");
      memcpy(kept, payload, length);
      return begin(guest, kept, length);
    case F_DATA:
      if (!sink_take(&guest->in, payload + 1, length - 1)) give_up("read", "stdin");
      return;
    case F_END:
      guest->in.ended = true;
      return;
    case F_TAKEN:
      return hear_taken(guest, payload);
    case F_CLOSED:
      if (guest->out[payload[0] % 3].fd != guest->command.master) source_close(&guest->out[payload[0] % 3]);
      return;
    case F_SIGNAL:
      return hear_signal(guest, payload[0]);
    case F_SIZE:
      return hear_size(guest, payload);
    case F_CONTINUE:
      return hear_continue(guest, payload);
    case F_ANSWER:
      if (!guard_answer(&guest->guard, payload, length)) give_up("read", "an answer");
      return;
    default:
      give_up("read", "an invalid frame");
  }
}

/* Passes on the written bytes before the end. */
static void end_input(struct guest *guest) {
  struct sink *in = &guest->in;
  if (!in->ended || in->length || in->fd < 0) return;
  in->ended = false;
  if (in->terminal) {
    const uint8_t end = 4;
    in->uncounted = true;
    sink_take(in, &end, 1);
    return;
  }
  close(in->fd);
  in->fd = -1;
}

static void finish(struct guest *guest, uint8_t status, uint8_t signal) {
  guest->over = true;
  guest->result[0] = status;
  guest->result[1] = signal;
  close(guest->command.session);
  guest->command.session = -1;
}

/* If the keeper was killed, it leaves a command that no process waits for. */
static void hear_session(struct guest *guest) {
  uint32_t word;
  ssize_t got = read(guest->command.session, &word, sizeof word);
  if (got < 0) return;
  if (got != sizeof word) return finish(guest, 0, SIGKILL);
  int state = (int)word;
  if (guest->command.pid == 0) guest->command.pid = (pid_t)word;
  else if (WIFSTOPPED(state)) wire_send(&guest->wire, F_STOPPED, "", 0);
  else finish(guest, WIFEXITED(state) ? (uint8_t)WEXITSTATUS(state) : 0, WIFSIGNALED(state) ? (uint8_t)WTERMSIG(state) : 0);
}

static void reap(const struct guest *guest) {
  while (waitpid(-1, NULL, WNOHANG) > 0) {}
  if (guest->over) kill(-1, SIGKILL);
}

/* The pipe closes when the exec succeeds. */
static void hear_exec(struct guest *guest) {
  uint32_t error;
  if (read(guest->command.failed, &error, sizeof error) == (ssize_t)sizeof error) {
    wire_send(&guest->wire, F_NOT_FOUND, &error, sizeof error);
  } else {
    struct timespec up;
    clock_gettime(CLOCK_MONOTONIC, &up);
    uint64_t since = (uint64_t)up.tv_sec * 1000000000u + (uint64_t)up.tv_nsec;
    wire_send(&guest->wire, F_STARTED, &since, sizeof since);
  }
  close(guest->command.failed);
  guest->command.failed = -1;
}

static void turn(struct guest *guest, int signals) {
  bool congested = guest->wire.out_length > 2 * WINDOW;
  struct pollfd fds[9] = {
      {guest->wire.fd, (short)(POLLIN | (guest->wire.out_length ? POLLOUT : 0)), 0},
      {signals, POLLIN, 0},
      {guest->running ? guest->command.failed : -1, POLLIN, 0},
      {guest->running && sink_wants(&guest->in) ? guest->in.fd : -1, POLLOUT, 0},
  };
  for (int i = 0; i < 3; i++) fds[4 + i] = (struct pollfd){guest->running && !congested && source_wants(&guest->out[i]) ? guest->out[i].fd : -1, POLLIN, 0};
  fds[7] = (struct pollfd){guest->running ? guest->command.session : -1, POLLIN, 0};
  fds[8] = guest->running && !congested ? guard_waits(&guest->guard) : (struct pollfd){-1, 0, 0};
  if (poll(fds, 9, -1) < 0) return;
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) > 0) {}
  if (fds[0].revents & POLLIN) wire_receive(&guest->wire, (struct hearing){hear_frame, guest});
  if (!guest->running) return wire_flush(&guest->wire);
  if (fds[2].revents) hear_exec(guest);
  if (sink_wants(&guest->in) && (fds[3].revents || guest->in.fd < 0)) sink_write(&guest->in, &guest->wire);
  end_input(guest);
  for (int i = 0; i < 3; i++)
    if (fds[4 + i].revents && !source_read(&guest->out[i], &guest->wire)) source_close(&guest->out[i]);
  if (fds[7].revents) hear_session(guest);
  if (fds[8].revents) guard_hear(&guest->guard, &guest->wire, fds[8].revents);
  reap(guest);
  wire_flush(&guest->wire);
}

/* All processes have ended, all their output is passed on, and mapped files are written back. */
static bool is_drained(const struct guest *guest) {
  return guest->over && guest->command.failed < 0 && guest->out[0].fd < 0 && guest->out[1].fd < 0 && guest->out[2].fd < 0;
}

static void open_console(void) {
  if (mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, NULL)) {}
  for (int fd; (fd = open("/dev/null", O_RDWR)) >= 0 && fd < 2;) {}
}

_Noreturn void run_init(void) {
  static struct guest guest = {.command = {.master = -1, .failed = -1, .session = -1}, .guard = {.channel = -1, .listener = -1}};
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  prctl(PR_SET_DUMPABLE, 0);
  mkdir("/dev", 0755);
  open_console();
  load_modules();
  mount_root();
  wire_open(&guest.wire, open_port(), MAX_START);
  tell_failures(&guest.wire);
  int signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  wire_send(&guest.wire, F_HELLO, "", 0);
  wire_flush(&guest.wire);
  while (!is_drained(&guest)) turn(&guest, signals);
  while (waitpid(-1, NULL, 0) > 0) {}
  sync();
  wire_send(&guest.wire, F_EXIT, guest.result, sizeof guest.result);
  flush_all(&guest.wire);
  for (;;) pause();
}
