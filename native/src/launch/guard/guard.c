/* The guard: PID 1 of the box inspects every call that creates a name, and refuses those that would create a protected
 * name. It creates nothing itself. The kernel reads the arguments of an allowed call again, so a thread that changes
 * the path at the right moment can bypass the guard. The boundary is the mounts and the sweep at the end. The guard
 * reports a refusal when it happens. It never waits for the caller, which is stopped until it is answered. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "guard.h"
#include "../../kernel.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "caller-paths.h"
#include "judge-tree.h"
#include "judge.h"
#include "left.h"
#include "place.h"
#include "refusals.h"
#include "repositories.h"
#include "sockets.h"
#include "watches.h"

#define SHORTEST_TURN 100000 /* nanoseconds */

static const struct plan *guarded_plan;

/* Short time slices are scheduled sooner: on a busy machine a caller waits a fifth of the time. No effect before Linux
 * 6.12. Threads that are created later inherit it. */
void ask_for_short_turns(void) {
  struct k_sched_attr how = {.size = sizeof how};
  if (syscall(SYS_sched_getattr, 0, &how, sizeof how, 0)) return;
  how.runtime = SHORTEST_TURN;
  syscall(SYS_sched_setattr, 0, &how, 0);
}

void guard_begin(const struct plan *plan, pid_t command) {
  /* A guard that cannot see the requests would let everything pass. */
  if (!open_guard_paths(command, plan->nests)) fail("look into processes", "/proc", EPERM);
  guarded_plan = plan;
  remember_begin();
  ask_for_short_turns();
}

static void *serve_all(void *listener) {
  while (guard_serve(*(int *)listener)) {}
  close(*(int *)listener);
  return NULL;
}

bool guard_apart(int listener) {
  static int served;
  pthread_t thread;
  served = listener;
  return pthread_create(&thread, NULL, serve_all, &served) == 0;
}

static void aim(struct target *target, const struct k_notification *call, int directory, int path) {
  target->pid = call->pid;
  target->directory = directory < 0 ? AT_FDCWD : (int)call->argument[directory];
  target->address = call->argument[path];
}

static void opens(struct new_name *name, const struct k_notification *call, int directory, int path) {
  name->creation = CREATES_FILE;
  name->follows = !(call->argument[path + 1] & (O_EXCL | O_NOFOLLOW));
  aim(&name->new, call, directory, path);
}

static void makes(struct new_name *name, const struct k_notification *call, enum creation creation, int directory, int path) {
  name->creation = creation;
  aim(&name->new, call, directory, path);
}

static void moves(struct new_name *name, const struct k_notification *call, bool at) {
  name->creation = MOVES;
  aim(&name->old, call, at ? 0 : -1, at ? 1 : 0);
  aim(&name->new, call, at ? 2 : -1, at ? 3 : 1);
}

/* False for a call that creates no name. */
static bool read_call(const struct k_notification *call, struct new_name *name) {
  name->follows = name->exchanges = false;
  name->moved = 0;
  switch (call->number) {
    case SYS_openat: return opens(name, call, 0, 1), true;
    case SYS_mkdirat: return makes(name, call, CREATES_DIRECTORY, 0, 1), true;
    case SYS_mknodat: return makes(name, call, CREATES_OTHER, 0, 1), true;
    case SYS_symlinkat: return makes(name, call, CREATES_OTHER, 1, 2), true;
    case SYS_linkat: return makes(name, call, CREATES_OTHER, 2, 3), true;
#ifdef SYS_renameat
    case SYS_renameat: return moves(name, call, true), true;
#endif
    case SYS_renameat2:
      moves(name, call, true);
      name->exchanges = call->argument[4] & K_RENAME_EXCHANGE;
      return true;
#ifdef SYS_open
    case SYS_open: return opens(name, call, -1, 0), true;
    case SYS_creat:
      makes(name, call, CREATES_FILE, -1, 0);
      return name->follows = true;
    case SYS_mkdir: return makes(name, call, CREATES_DIRECTORY, -1, 0), true;
    case SYS_mknod: return makes(name, call, CREATES_OTHER, -1, 0), true;
    case SYS_symlink: return makes(name, call, CREATES_OTHER, -1, 1), true;
    case SYS_link: return makes(name, call, CREATES_OTHER, -1, 1), true;
    case SYS_rename: return moves(name, call, false), true;
#endif
    default: return false;
  }
}

/* Whether no process has the filter any more. Since Linux 6.11, receiving does not wait in that case, and a loop would
 * use a whole processor. */
static bool is_over(int listener) {
  struct pollfd calls = {listener, POLLIN, 0};
  return poll(&calls, 1, 0) > 0 && !(calls.revents & POLLIN);
}

bool guard_serve(int listener) {
  static struct new_name name;
  static struct place place;
  struct k_notification call;
  memset(&call, 0, sizeof call);
  /* ENOENT: the caller was killed, or all callers have ended. */
  if (ioctl(listener, K_NOTIFY_RECEIVE, &call)) return errno == EINTR || (errno == ENOENT && !is_over(listener));
  if (is_socket_call(&call)) return serve_socket_call(listener, guarded_plan, &call), true;
  if (call.number == SYS_inotify_add_watch) return serve_watch(listener, guarded_plan, &call), true;
  bool known = read_call(&call, &name);
  enum judgement judgement = known ? judge_new_name(guarded_plan, &name, &place) : ALLOWED;
  if (known && judgement == ALLOWED) note_left(guarded_plan, &call, &name);
  struct k_notify_answer answer = {.id = call.id};
  if (judgement == REFUSED) answer.error = -EACCES;
  else answer.flags = K_NOTIFY_CONTINUE;
  /* Before the answer: after it, the box may end sooner than the report is sent. */
  if (judgement == REFUSED && ioctl(listener, K_NOTIFY_IS_VALID, &call.id) == 0) report_refusal(REFUSED_NAME, place.path, NULL);
  ioctl(listener, K_NOTIFY_ANSWER, &answer);
  return true;
}
