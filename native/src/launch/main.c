/* Reads a plan from fd 3, builds the box that it describes, and reports on the same descriptor. See docs/launcher.md. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "box/box.h"
#include "box/cgroup.h"
#include "box/ending.h"
#include "box/helper.h"
#include "box/plain.h"
#include "box/private.h"
#include "confine/handover.h"
#include "gvisor/forward.h"
#include "gvisor/say-kernel.h"
#include "names/hits.h"
#include "names/links.h"
#include "names/remembered.h"
#include "names/scan.h"
#include "names/seen.h"
#include "names/sweep.h"
#include "nursery.h"
#include "paths/path.h"
#include "plan/decode.h"
#include "plan/list.h"
#include "plan/plan.h"
#include "report/control.h"
#include "report/fail.h"
#include "report/leave.h"
#include "report/receive.h"
#include "report/report.h"
#include "root/idmap.h"
#include "root/keeper.h"
#include "supervise/adopted.h"
#include "supervise/bring.h"
#include "supervise/supervise.h"
#include "supervise/tap.h"
#include "supervise/terminal.h"

static void receive_plan(struct plan *plan) {
  uint8_t header[8];
  uint32_t length;
  receive(header, sizeof header);
  memcpy(&length, header + 4, 4);
  if (memcmp(header, "HFP1", 4) || length > MAX_PLAN) fail("decode plan", "the header is not that of a plan", EINVAL);
  uint8_t *bytes = malloc(length + sizeof header);
  if (!bytes) fail("memory", "", ENOMEM);
  memcpy(bytes, header, sizeof header);
  receive(bytes + sizeof header, length);
  const char *wrong = plan_decode(plan, bytes + sizeof header, length);
  if (wrong) fail("decode plan", wrong, EINVAL);
  plan->bytes = bytes;
  plan->length = length + sizeof header;
}

/* Opens the roots once, before anything runs. The sweep uses the same descriptors. */
static int *open_roots(const struct plan *plan, struct findings *found) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int *fds = calloc(plan->roots.count + 1, sizeof *fds);
  if (!fds || host < 0) fail("open roots", "/", errno);
  for (unsigned i = 0; i < plan->roots.count; i++) {
    const char *path = LIST_AT(plan->roots, const char *, i);
    fds[i] = open_beneath(host, path, O_PATH | O_DIRECTORY);
    if (fds[i] < 0) fail("open root", path, errno);
    int error = scan_root(plan, i, fds[i], found);
    if (error) fail("look for protected names", path, error);
  }
  close(host);
  find_other_names(plan, fds, found);
  free_listing(&found->listing);
  return fds;
}

static bool same_file(int a, int b) {
  struct stat x, y;
  return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* If stdout and stderr share one pipe or file, both go through the tap, so that their order is kept. */
static struct tap make_tap(const struct plan *plan, struct handover *hand) {
  struct stat st;
  if (!plan->tap_stderr || fstat(2, &st) || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || S_ISREG(st.st_mode))) return (struct tap){-1, -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) fail("pipe", "", errno);
  hand->output = ends[1];
  hand->merged = same_file(1, 2);
  hand->source = ends[0];
  return (struct tap){ends[0], 2};
}

static uint32_t run(struct plan *plan, sigset_t mask, pid_t supervisor) {
  static struct seen seen;
  struct findings found = {.known = recall_seen(plan), .seen = begin_seeing(&seen) ? &seen : NULL};
  int *roots = open_roots(plan, &found);
  report_hits(plan, &found.hits);
  struct handover hand = {.terminal = foreground_terminal(), .output = -1, .mask = mask, .source = -1};
  struct tap tap = make_tap(plan, &hand);
  save_terminal(hand.terminal);
  if (geteuid() == 0 && !plan->plain) prepare_idmapped_binds(plan);
  if (plan->keeper) take_overlays(plan);
  else if (geteuid() == 0) prepare_idmapped_layers(plan);
  if (is_adopted() && !has_network(plan)) drop_handles();
  struct box box = plan->plain ? start_plain(plan, hand) : plan->helper.count ? start_helper(plan, &found.hits, hand) : start_box(plan, &found.hits, hand);
  if (plan->plain) sweep_private_directories(plan); /* while the keeper builds the box */
  if (hand.output >= 0) close(hand.output);
  struct sweep_roots searched = {roots, &found.hits};
  struct outcome outcome = supervise(plan, &box, searched, (struct handover_ends){hand.terminal, tap, supervisor});
  give_back_terminal(hand.terminal);
  if (plan->plain) end_plain(plan);
  sweep(plan, roots, &found, outcome.supervisor_gone ? ASIDE_RENAME : ASIDE_REPORT);
  uint32_t result[2] = {outcome.failed ? EXIT_HOLDFAST : outcome.status, outcome.signal};
  report(R_EXIT, result, sizeof result);
  /* While the supervisor writes its last event. */
  if (found.seen) remember_seen(plan, found.seen);
  leave_cgroups(plan);
  return (uint32_t)take_leave((int)(outcome.signal ? 128 + outcome.signal : result[0]));
}

int main(int argc, char **argv) {
  sigset_t all, mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  if (argc == 3 && strcmp(argv[1], "kernel") == 0) say_kernel(argv[2]);
  if (argc > 4 && strcmp(argv[1], "forward") == 0) run_forwarder(argv + 2, mask);
  if (fcntl(CONTROL_FD, F_GETFD) < 0) {
    static const char text[] = "holdfast-launch: started by hand; use `holdfast run -- COMMAND`\n";
    return write(2, text, sizeof text - 1) < 0 ? 1 : EXIT_HOLDFAST;
  }
  if (argc > 1 && strcmp(argv[1], "adopted") == 0) adopt(argc > 2 ? argv[2] : NULL);
  /* A stopped process does not notice the end of a stream, so the end of its parent continues it. */
  else prctl(PR_SET_PDEATHSIG, SIGCONT);
  if (argc == 2 && strcmp(argv[1], "nursery") == 0) {
    run_nursery();
    argc = 1;
    prctl(PR_SET_PDEATHSIG, SIGCONT); /* no child inherits it */
  }
  if (has_adopted_child()) sigemptyset(&mask); /* the front has blocked signals that arrived for this process meanwhile */
  pid_t supervisor = is_adopted() ? adopter() : getppid();
  fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
  struct plan plan;
  /* A signal could leave nothing behind yet, and no other process could end the wait for a supervisor that hangs. */
  if (is_adopted()) sigprocmask(SIG_SETMASK, &mask, NULL);
  receive_plan(&plan);
  sigprocmask(SIG_SETMASK, &all, NULL);
  if (argc > 1 && strcmp(argv[1], "inner") == 0) run_inner(&plan, mask);
  if (argc > 1 && strcmp(argv[1], "keep") == 0) run_keeper(&plan);
  if (argc > 1 && strcmp(argv[1], "scan") == 0) {
    struct findings found = {.after = argc == 2};
    open_roots(&plan, &found);
    report_hits(&plan, &found.hits);
    return 0;
  }
  return (int)run(&plan, mask, supervisor);
}
