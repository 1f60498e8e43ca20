/* holdfast-files: performs file operations inside a box, as its command.
 *
 * It makes no decisions and has no additional rights: the mounts, Landlock and the syscall filter of the box judge
 * every call it makes. One thread handles requests in the order of their arrival. The result of each operation is
 * written before the next begins, so that the sender knows which operations happened if this process dies. The filter
 * refuses openat2, because it cannot inspect the argument. So paths are opened with openat, trees are walked by
 * descriptors, and `open_checked` excludes this process's own channels. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "dispatch.h"
#include "input.h"
#include "malformed.h"
#include "open.h"
#include "protocol.h"
#include "reply.h"
#include "watch.h"

static void handle_frame(const struct frame *frame) {
  if (frame->kind == REQUEST_RUN) {
    run_request(frame);
  } else if (frame->kind == REQUEST_CANCEL) {
    if (frame->payload.at != frame->payload.end) malformed("a cancel is malformed");
    forget_cancel(frame->id);
  } else {
    malformed("a frame has an unknown kind");
  }
}

/* Without watches, a read that blocks saves one system call. */
static void wait_for_more(bool blocks) {
  struct pollfd ready[1 + MAX_WATCHES] = {{0, POLLIN, 0}};
  unsigned watches = watch_descriptors(ready + 1);
  reply_trim();
  if (watches == 0 && blocks) return read_input();
  if (poll(ready, 1 + watches, -1) < 0 && errno != EINTR) malformed("it cannot be waited for");
  watch_events(ready + 1, watches);
  if (ready[0].revents) read_input();
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  /* Descriptors that the starting process left open must not be reachable through /proc/self/fd. */
  syscall(SYS_close_range, 3, ~0u, 0);
  note_channels();
  bool blocks = !(fcntl(0, F_GETFL) & O_NONBLOCK);
  reply_hello();
  for (;;) {
    struct frame frame;
    switch (take_frame(&frame)) {
      case FRAME_READY: handle_frame(&frame); break;
      case FRAME_NONE: wait_for_more(blocks); break;
      case FRAME_END: return 0;
    }
  }
}
