/* Keeps the overlays of a staged layer mounted, for several boxes of one session. If two overlays used the same upper
 * directory, each would destroy the writes of the other. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "keeper.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "builder.h"
#include "idmap.h"
#include "mount.h"
#include "overlay.h"

#define SOCKET_NAME "keeper"

static bool is_shared(const struct mount_step *step) {
  return step->kind == M_OVERLAY && step->upper.path;
}

/* The identity map, as in a box: files of the overlay belong to the user. */
static void enter_namespaces(void) {
  char uids[64], gids[64];
  snprintf(uids, sizeof uids, "%u %u 1", geteuid(), geteuid());
  snprintf(gids, sizeof gids, "%u %u 1", getegid(), getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) fail("create namespaces", "", errno);
  write_file("/proc/self/setgroups", "deny", "map ids");
  write_file("/proc/self/uid_map", uids, "map ids");
  write_file("/proc/self/gid_map", gids, "map ids");
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("make mounts private", "/", errno);
}

/* Only a mount of the process's own namespace can be cloned. */
static void keep_overlay(const struct builder *builder, struct mount_step *step, size_t number) {
  char name[32];
  snprintf(name, sizeof name, "%zu", number);
  int tree = staged_overlay(builder, step);
  if (mkdirat(builder->scaffold, name, 0700)) fail("make mount point", name, errno);
  int place = openat(builder->scaffold, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0 || attach_tree(tree, place)) fail("attach mount", step->source, errno);
  close(place);
  step->fd = tree;
}

static void build_overlays(struct plan *plan, const struct builder *builder) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (is_shared(step)) keep_overlay(builder, step, i);
  }
}

static struct sockaddr_un address_in(int directory) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" SOCKET_NAME, directory);
  return address;
}

/* In the directory of the layer, which belongs to the user alone and is visible in no box. */
static int listen_in(int host, const char *path) {
  int directory = open_beneath(host, path, O_PATH | O_DIRECTORY), listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_un address = address_in(directory);
  if (directory < 0 || listener < 0 || (unlinkat(directory, SOCKET_NAME, 0) && errno != ENOENT)) fail("keep staged layer", path, errno);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64)) fail("keep staged layer", path, errno);
  close(directory);
  return listener;
}

static void hand_out(const struct plan *plan, int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (client < 0) return;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    int tree = is_shared(step) ? clone_tree(step->fd, 0) : -1;
    if (tree < 0) continue;
    send_with_fd(client, tree, "t", 1);
    close(tree);
  }
  close(client);
}

/* Runs until the supervisor closes its stream. Mounts that a box still has disappear with the box. */
_Noreturn void run_keeper(struct plan *plan) {
  struct builder builder = {.host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), .masks = -1};
  if (!plan->keeper) fail("decode plan", "there is nothing to keep", EINVAL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int listener = listen_in(builder.host, plan->keeper);
  if (geteuid() == 0) prepare_idmapped_layers(plan);
  enter_namespaces();
  /* Opened again, for the host's root in this namespace, in which the overlays are made. */
  close(builder.host);
  builder.host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  const char *options[] = {"mode", "0700", NULL};
  builder.scaffold = new_filesystem("tmpfs", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
  if (attach_tree(builder.scaffold, builder.host)) fail("mount scaffold", "/", errno);
  build_overlays(plan, &builder);
  report(R_STARTED, (uint32_t[2]){0, (uint32_t)getpid()}, 8);
  struct pollfd fds[2] = {{CONTROL_FD, POLLIN, 0}, {listener, POLLIN, 0}};
  while (!fds[0].revents) {
    if (poll(fds, 2, -1) < 0 && errno != EINTR) break;
    if (fds[1].revents) hand_out(plan, listener);
  }
  _exit(0);
}

/* outer: the trees arrive in the order of the steps, and their numbers have to be equal. */
void take_overlays(struct plan *plan) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), directory = open_beneath(host, plan->keeper, O_PATH | O_DIRECTORY);
  int keeper = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  struct sockaddr_un address = address_in(directory);
  if (directory < 0 || keeper < 0 || connect(keeper, (struct sockaddr *)&address, sizeof address)) fail("reach staged layer", plan->keeper, errno);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    char byte;
    if (is_shared(step) && (receive_with_fd(keeper, &step->fd, &byte, 1, 0) != 1 || step->fd < 0)) fail("reach staged layer", step->source, ECONNRESET);
  }
  close(keeper);
  close(directory);
  close(host);
}
