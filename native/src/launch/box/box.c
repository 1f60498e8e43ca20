/* init: PID 1 of the box. Builds the root and the network, and then serves the command. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "box.h"
#include "../network/handles.h"
#include "../network/network.h"
#include "../paths/path.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "../root/root.h"
#include "cgroup.h"
#include "ending.h"
#include "house.h"
#include "warm.h"

#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static _Noreturn void run_init(struct plan *plan, const struct list *hits, int status, struct handover hand, const unsigned long *most);

/* The map is the identity, so file owners inside are the owners outside, and no new id is gained. */
static void map_identity(pid_t init) {
  char path[64], map[64];
  if (getuid() != 0) {
    snprintf(path, sizeof path, "/proc/%d/setgroups", init);
    write_file(path, "deny", "map ids");
  }
  snprintf(path, sizeof path, "/proc/%d/uid_map", init);
  snprintf(map, sizeof map, "%u %u 1", geteuid(), geteuid());
  write_file(path, map, "map ids");
  snprintf(path, sizeof path, "/proc/%d/gid_map", init);
  snprintf(map, sizeof map, "%u %u 1", getegid(), getegid());
  write_file(path, map, "map ids");
}

static const char *const watchers[] = {"/proc/sys/user/max_inotify_instances", "/proc/sys/user/max_inotify_watches"};

/* Attack: a box that takes all watchers of its user leaves none to programs of the host. The kernel asks the reader for its namespace. */
static void read_watchers(unsigned long *most) {
  char text[32];
  for (unsigned i = 0; i < 2; i++) {
    int fd = open(watchers[i], O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    most[i] = strtoul(text, NULL, 10);
    if (fd >= 0) close(fd);
  }
}

/* Half of them. Where /proc/sys cannot be written, as in some containers, a box may take all. */
static void limit_watchers(const unsigned long *most) {
  for (unsigned i = 0; i < 2; i++) {
    int fd = most[i] ? open(watchers[i], O_WRONLY | O_CLOEXEC) : -1;
    if (fd >= 0) dprintf(fd, "%lu", most[i] / 2);
    if (fd >= 0) close(fd);
  }
}

struct box start_box(struct plan *plan, const struct list *hits, struct handover hand) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) fail("socketpair", "", errno);
  unsigned long most[2];
  read_watchers(most);
  pid_t init = (pid_t)syscall(SYS_clone, NAMESPACES | SIGCHLD, 0, 0, 0, 0);
  if (init < 0) fail("create namespaces", "", errno);
  if (init == 0) {
    close(ends[0]);
    run_init(plan, hits, ends[1], hand, most);
  }
  undo_on_failure((struct undo){undo_box, plan, init});
  close(ends[1]);
  if (has_network(plan)) close_handles();
  map_identity(init);
  make_cgroups(plan, init);
  if (send(ends[0], "g", 1, MSG_NOSIGNAL) != 1) fail("release init", "", errno);
  return (struct box){init, ends[0]};
}

static void wait_for_release(int status) {
  char go;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (recv(status, &go, 1, 0) != 1) _exit(EXIT_HOLDFAST);
}

static _Noreturn void run_init(struct plan *plan, const struct list *hits, int status, struct handover hand, const unsigned long *most) {
  report_to(status);
  close(CONTROL_FD);
  if (hand.source >= 0) close(hand.source);
  wait_for_release(status);
  limit_watchers(most);
  enter_cgroups(plan);
  loopback_up();
  open_network(plan);
  build_root(plan, hits);
  if (plan->warm) await_command(plan, status);
  start_command(plan, status, hand, ENDS_WITH_INIT);
}
