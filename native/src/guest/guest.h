/*
 * holdfast-guest: both ends of a microVM.
 *
 * `host` runs in the native box in the place of the command: it starts qemu and stands for the command towards the launcher.
 * `init` is PID 1 of the guest: it mounts the box's root over 9p and runs the command there. Between them is one byte stream,
 * the port of a virtio-serial device. The host takes nothing that the guest says for true beyond the lengths it checks.
 */
#ifndef HF_GUEST_H
#define HF_GUEST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A frame: u32 whose upper byte is the kind and whose rest is the length, little endian, then the payload. */
enum frame {
  F_HELLO = 1, /* guest: it listens */
  F_START,     /* host, then: struct start, encoded */
  F_DATA,      /* both: u8 stream, bytes */
  F_END,       /* host: u8 stream: nothing more comes */
  F_TAKEN,     /* both: u8 stream, u32: so many bytes of it were passed on */
  F_CLOSED,    /* both: u8 stream: nobody reads it any more */
  F_SIGNAL,    /* host: u8 number */
  F_SIZE,      /* host: u16 rows, u16 columns */
  F_CONTINUE,  /* host: u64 seconds, u64 nanoseconds of now */
  F_STARTED,   /* guest: u64 nanoseconds since its kernel started */
  F_NOT_FOUND, /* guest: u32 errno of the exec */
  F_STOPPED,   /* guest: the command is stopped */
  F_EXIT,      /* guest: u8 status, u8 signal */
  F_FAILED,    /* guest: text */
};
#define MAX_PAYLOAD (64u << 10)
#define MAX_START (8u << 20)
/* Bytes of one stream that may be under way. */
#define WINDOW (256u << 10)

/* Signals by which `host` ends where no command has had its say; the backend reads them from the launcher's report. */
#define ENDS_FAILED 64
#define ENDS_NOT_FOUND 63
#define ENDS_NOT_EXECUTABLE 62

/* ---- wire.c ---- */

struct wire {
  int fd;
  bool broken;
  uint8_t *out, *in;
  size_t out_length, out_size, in_length, in_size, longest;
};
struct hearing {
  void (*frame)(void *context, enum frame kind, const uint8_t *payload, size_t length);
  void *context;
};
void wire_open(struct wire *wire, int fd, size_t longest); /* `longest`: of a payload that is accepted; -1 of memory ends the process */
void wire_send(struct wire *wire, enum frame kind, const void *payload, size_t length);
void wire_flush(struct wire *wire);
void wire_receive(struct wire *wire, struct hearing hearing);

/* ---- stream.c: one direction of one stream, with a window ---- */

struct source { /* read here, sent */
  uint8_t stream;
  int fd;
  size_t credit;
};
struct sink { /* received, written here */
  uint8_t stream;
  int fd;
  bool ended, terminal;
  bool uncounted; /* what is in it now was never sent, so that nobody is told that it was taken */
  size_t start, length, taken;
  uint8_t *bytes;
};
bool source_wants(const struct source *source);
bool source_read(struct source *source, struct wire *wire); /* false at its end */
void source_close(struct source *source);
void sink_open(struct sink *sink, uint8_t stream, int fd);
bool sink_take(struct sink *sink, const uint8_t *bytes, size_t length); /* false: more than the window */
bool sink_wants(const struct sink *sink);
void sink_write(struct sink *sink, struct wire *wire);

/* ---- start.c: what the guest is told ---- */

enum number { N_UID, N_GID, N_SECONDS, N_NANOSECONDS, N_TERMINALS, N_ROWS, N_COLUMNS, N_PROCESSES, N_FILES, N_CPU, N_FILE_SIZE, N_SHM, N_NETWORK, N_ABSENT, N_COUNT };
#define UNLIMITED UINT64_MAX
/* N_ABSENT: entries of PATH at its start in which the command is not. */
/* N_TERMINALS: bit n for descriptor n; this one: what is typed goes to the guest key by key. */
#define TERMINAL_RAW 8u
struct strings {
  size_t count, size;
  char **items;
};
struct blob {
  size_t length;
  const uint8_t *bytes;
};
struct start {
  uint64_t number[N_COUNT];
  const char *hostname, *cwd;
  struct strings arguments, environment, tmpfs; /* tmpfs: `MODE SIZE PATH` */
  struct blob filter, seed;
};
struct blob start_encode(const struct start *start);
bool start_decode(struct start *start, uint8_t *bytes, size_t length); /* strings point into `bytes` */
void strings_push(struct strings *strings, char *item);

/* ---- machine.c: the file that says what to start ---- */

struct machine {
  struct strings words; /* of qemu */
  uint64_t patience;    /* milliseconds until the command has to run */
  bool tells;           /* on stderr, how long the guest took until the command began */
};
const char *machine_read(const char *path, struct machine *machine, struct start *start); /* NULL, or what is wrong */
const char *read_file(const char *path, struct blob *blob);

/* ---- host.c, host_qemu.c, host_terminal.c ---- */

int run_host(int argc, char **argv);
struct virtual_machine {
  pid_t pid;
  int port, output; /* the byte stream; what qemu and the guest's kernel say */
};
bool start_machine(const struct machine *machine, struct virtual_machine *started);
bool is_raw(uint64_t terminals);
uint64_t find_terminals(uint64_t number[N_COUNT]);
void terminal_raw(void);
void terminal_back(void);

/* ---- init.c, init_mounts.c, init_modules.c, init_network.c, init_command.c ---- */

_Noreturn void run_init(void);
_Noreturn void give_up(const char *what, const char *path);
void load_modules(void);
int open_port(void);
void mount_root(void);
void mount_inside(const struct start *start); /* and make it the root */
void open_interfaces(const struct start *start);
void open_pids(const struct start *start);
struct command {
  pid_t pid; /* 0 while it is not known */
  int in, out, err; /* this end; one descriptor of a terminal may be all of them */
  int master, slave, failed;
  int session; /* its keeper says u32 PID of the command, then each u32 status of waitpid */
};
void start_command(const struct start *start, struct command *command);
#endif
