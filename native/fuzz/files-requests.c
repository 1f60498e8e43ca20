/* libFuzzer target: any bytes on descriptor 0 of the files worker are cut into frames, refused, or performed in a directory
 * of their own. Built with the sanitizers by scripts/fuzz-launcher.sh.
 *
 * The operations are real. Nothing of the machine may be hit, so that an operation with a path that is absolute, or that
 * goes up, is decoded and not performed. Parts that keep state are included as text, so that each input starts afresh. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>
#include "../src/files/atomic.h"
#include "../src/files/dispatch.h"
#include "../src/files/input.c"
#define ready handles_ready
#define prepare prepare_handles
#include "../src/files/handles.c"
#undef ready
#undef prepare
#include "../src/files/list.c"
#include "../src/files/watch.c"

static jmp_buf refused;

/* In the place of malformed.c. */
_Noreturn void malformed(const char *what) {
  longjmp(refused, 1);
}

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

static bool goes_up(const char *path) {
  for (const char *at = path; (at = strstr(at, "..")); at += 2)
    if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/')) return true;
  return false;
}

static bool is_safe(const struct operation *operation) {
  for (int i = 0; i < 3; i++)
    if (operation->path[i] && (operation->path[i][0] == '/' || goes_up(operation->path[i]))) return false;
  /* A file of many gigabytes takes the fuzzer's time and nothing else. */
  for (int i = 0; i < 5; i++)
    if ((operation->code == OP_TRUNCATE || operation->code == OP_WRITE_AT) && operation->number[i] > (1u << 24) && operation->number[i] != UINT64_MAX) return false;
  return operation->code != OP_OWNER;
}

static void check_operation(const struct operation *operation, struct cursor in) {
  for (int i = 0; i < 3; i++) {
    const uint8_t *path = (const uint8_t *)operation->path[i];
    if (!path) continue;
    require(path >= in.at && path < in.end, "a path lies outside of the frame");
    require(memchr(path, 0, (size_t)(in.end - path)) != NULL, "a path does not end inside of the frame");
  }
  if (operation->data) require(operation->data >= in.at && operation->length <= (size_t)(in.end - operation->data), "data lies outside of the frame");
  require(operation->length <= MAX_PAYLOAD, "data is too long");
}

static void perform(const struct frame *frame) {
  struct request request;
  if (!decode_request(&request, frame->id, frame->payload)) return;
  reply_start(request.id);
  now_running(request.id);
  for (uint32_t i = 0; i < request.count; i++) {
    struct operation operation;
    require(decode_operation(&operation, &request.operations), "what was decoded once cannot be decoded again");
    check_operation(&operation, frame->payload);
    if (!is_safe(&operation) || is_cancelled(request.id)) continue;
    run_operation(&operation);
    reply_flush();
  }
  reply_end(request.id, request.count);
}

static int remove_name(const char *path, const struct stat *st, int type, struct FTW *walk) {
  return walk->level == 0 ? 0 : remove(path);
}

static char directory[] = "/dev/shm/holdfast-fuzz-XXXXXX";

static void clean(void) {
  nftw(directory, remove_name, 16, FTW_DEPTH | FTW_PHYS);
  rmdir(directory);
}

/* A directory in memory, with something in it to work on; the answers go nowhere. */
static void prepare(void) {
  if (!mkdtemp(directory) || chdir(directory)) abort();
  atexit(clean);
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1);
  close(nowhere);
}

static void plant(void) {
  nftw(".", remove_name, 16, FTW_DEPTH | FTW_PHYS);
  mkdir("d", 0700);
  mkdir("d/e", 0700);
  close(open("d/f", O_CREAT | O_WRONLY, 0600));
  if (symlink("d/f", "l") || link("d/f", "m") || mkfifo("p", 0600)) return;
}

static void forget_everything(void) {
  start = end = peeked = 0;
  ended = fresh = false;
  cancels = running = 0;
  for (unsigned i = 0; i < MAX_HANDLES; i++) {
    if (!handles_ready || handles[i].fd < 0) continue;
    if (handles[i].replacement) replace_drop(handles[i].replacement);
    else close(handles[i].fd);
    free_handle(&handles[i]);
  }
  for (unsigned i = 0; i < MAX_LISTINGS; i++)
    if (listings[i].number) close(listings[i].fd), listings[i].number = 0;
  for (unsigned i = 0; ready && i < MAX_WATCHES; i++)
    if (watches[i].fd >= 0) end_watch(&watches[i]);
}

static void take_events(void) {
  struct pollfd polled[MAX_WATCHES];
  unsigned count = watch_descriptors(polled);
  if (count && poll(polled, count, 0) > 0) watch_events(polled, count);
}

static void run_input(void) {
  for (;;) {
    struct frame frame;
    enum next_frame next = take_frame(&frame);
    if (next == FRAME_END) return;
    if (next == FRAME_NONE) read_input();
    else if (frame.kind == REQUEST_RUN) perform(&frame);
    take_events();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int channel = -1;
  if (channel < 0) {
    prepare();
    channel = memfd_create("input", MFD_CLOEXEC);
    dup2(channel, 0);
  }
  plant();
  if (ftruncate(channel, 0) || pwrite(channel, data, size, 0) != (ssize_t)size || lseek(0, 0, SEEK_SET)) abort();
  if (!setjmp(refused)) run_input();
  reply_flush();
  forget_everything();
  return 0;
}
