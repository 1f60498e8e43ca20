/* The command in the guest: as the box's user, without capabilities, under the plan's limits and system call filter. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include "init_command.h"
#include "give_up.h"
#include "init_guard.h"
#include "init_programs.h"
#include "start.h"

static int pids = -1; /* cgroup.procs of the command's control group */

/* RLIMIT_NPROC never stops uid 0. Called before the root changes, because the command cannot reach this file system. */
void open_pids(const struct start *start) {
  uint64_t limit = start->number[N_PROCESSES];
  if (limit == UNLIMITED) return;
  mkdir("/cgroup", 0700);
  if (mount("cgroup2", "/cgroup", "cgroup2", 0, NULL)) give_up("mount", "/cgroup");
  int controllers = open("/cgroup/cgroup.subtree_control", O_WRONLY | O_CLOEXEC);
  if (controllers < 0 || write(controllers, "+pids", 5) != 5 || mkdir("/cgroup/box", 0700)) give_up("limit processes", "/cgroup");
  int most = open("/cgroup/box/pids.max", O_WRONLY | O_CLOEXEC);
  if (most < 0 || dprintf(most, "%llu", (unsigned long long)limit) < 0) give_up("limit processes", "pids.max");
  close(controllers);
  close(most);
  pids = open("/cgroup/box/cgroup.procs", O_WRONLY | O_CLOEXEC);
  if (pids < 0) give_up("limit processes", "cgroup.procs");
}

static void open_terminal(const struct start *start, struct command *command) {
  const uint64_t *number = start->number;
  command->master = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  int unlock = 0, name = 0;
  if (command->master < 0 || ioctl(command->master, TIOCSPTLCK, &unlock) || ioctl(command->master, TIOCGPTN, &name)) give_up("open", "/dev/ptmx");
  char path[32];
  snprintf(path, sizeof path, "/dev/pts/%d", name);
  command->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct winsize size = {.ws_row = (unsigned short)number[N_ROWS], .ws_col = (unsigned short)number[N_COLUMNS]};
  if (command->slave < 0 || ioctl(command->master, TIOCSWINSZ, &size) || fchown(command->slave, (uid_t)number[N_UID], (gid_t)number[N_GID])) give_up("open", path);
  if (!(number[N_TERMINALS] & TERMINAL_RAW)) {
    /* The line discipline outside already does this. */
    struct termios plain;
    tcgetattr(command->slave, &plain);
    plain.c_lflag &= ~(tcflag_t)ECHO;
    plain.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(command->slave, TCSANOW, &plain);
  }
}

/* Inside, the command's end; outside, init's end. */
static int connect_descriptor(const struct start *start, struct command *command, int fd) {
  if (start->number[N_TERMINALS] >> fd & 1) return command->slave;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) give_up("pipe", "");
  int ours = fd == 0 ? ends[1] : ends[0];
  fcntl(ours, F_SETFL, O_NONBLOCK);
  *(fd == 0 ? &command->in : fd == 1 ? &command->out : &command->err) = ours;
  return fd == 0 ? ends[0] : ends[1];
}

static void limit(int resource, uint64_t value) {
  struct rlimit both = {value, value};
  if (value != UNLIMITED && setrlimit(resource, &both)) _exit(125);
}

static bool become_user(const struct start *start) {
  struct { uint32_t version; int pid; } header = {0x20080522, 0};
  struct { uint32_t effective, permitted, inheritable; } none[2] = {{0}};
  gid_t gid = (gid_t)start->number[N_GID];
  uid_t uid = (uid_t)start->number[N_UID];
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)) return false;
  return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0 && syscall(SYS_capset, &header, none) == 0;
}

/* The guard comes first, because the other filter may refuse its calls. */
static bool confine(const struct start *start, int channel, int ruleset) {
  const struct blob *filter = &start->filter;
  struct { unsigned short length; const void *filter; } program = {(unsigned short)(filter->length / 8), filter->bytes};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return false;
  if (!allow_programs(ruleset)) return false;
  if (start->guard.length && !install_guard(&start->guard, channel)) return false;
  return filter->length == 0 || syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, &program) == 0;
}

static int exec_in_path(const struct start *start) {
  char **words = start->arguments.items, **environment = start->environment.items;
  if (strchr(words[0], '/')) return execve(words[0], words, environment), errno;
  const char *path = "/usr/bin:/bin";
  for (size_t i = 0; i < start->environment.count; i++)
    if (strncmp(environment[i], "PATH=", 5) == 0) path = environment[i] + 5;
  uint64_t absent = start->number[N_ABSENT];
  int error = ENOENT;
  char candidate[4096];
  for (const char *end;; path = end + 1) {
    end = strchrnul(path, ':');
    bool skipped = absent > 0;
    absent -= skipped;
    /* A relative or empty entry would find programs in the workspace. */
    if (!skipped && *path == '/' && snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, words[0]) < (int)sizeof candidate) {
      execve(candidate, words, environment);
      if (errno != ENOENT && errno != ENOTDIR) error = errno;
    }
    if (!*end) return error;
  }
}

static _Noreturn void run(const struct start *start, struct command *command, const int fds[3], const int pipes[4]) {
  const uint64_t *number = start->number;
  if (pids >= 0 && write(pids, "0", 1) != 1) _exit(125);
  setpgid(0, 0);
  if (command->slave >= 0) tcsetpgrp(command->slave, getpid());
  /* None of them is below 3, because init keeps those numbers open. */
  for (int fd = 0; fd < 3; fd++) dup2(fds[fd], fd);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, number[N_PROCESSES]);
  limit(RLIMIT_NOFILE, number[N_FILES]);
  limit(RLIMIT_CPU, number[N_CPU]);
  limit(RLIMIT_FSIZE, number[N_FILE_SIZE]);
  if (!become_user(start) || chdir(start->cwd) || !confine(start, pipes[2], pipes[3])) _exit(125);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  uint32_t error = (uint32_t)exec_in_path(start);
  _exit(write(pipes[0], &error, sizeof error) < 0 ? 126 : 125);
}

static void tell(int session, uint32_t word) {
  if (write(session, &word, sizeof word) != sizeof word) _exit(125);
}

/* A process between PID 1 and the command. The kernel treats children of PID 1 as orphans, and orphans cannot be
 * stopped by a key. */
static _Noreturn void keep_session(const struct start *start, struct command *command, const int fds[3], const int pipes[4]) {
  setsid();
  if (command->slave >= 0 && ioctl(command->slave, TIOCSCTTY, 0)) _exit(125);
  pid_t pid = fork();
  if (pid == 0) run(start, command, fds, pipes);
  if (pid < 0) _exit(125);
  setpgid(pid, pid);
  if (command->slave >= 0) tcsetpgrp(command->slave, pid);
  int session = fcntl(pipes[1], F_DUPFD_CLOEXEC, 3);
  tell(session, (uint32_t)pid);
  /* The streams end when the command has closed them. */
  for (int fd = 3; fd < 64; fd++)
    if (fd != session) close(fd);
  for (int state; waitpid(pid, &state, WUNTRACED) == pid;) {
    tell(session, (uint32_t)state);
    if (!WIFSTOPPED(state)) break;
  }
  _exit(0);
}

void start_command(const struct start *start, struct command *command, struct guard *guard) {
  int fds[3], failed[2], session[2], channel = -1;
  *command = (struct command){.in = -1, .out = -1, .err = -1, .master = -1, .slave = -1};
  if (start->number[N_TERMINALS] & 7) open_terminal(start, command);
  for (int fd = 0; fd < 3; fd++) fds[fd] = connect_descriptor(start, command, fd);
  if (pipe2(failed, O_CLOEXEC) || pipe2(session, O_CLOEXEC)) give_up("pipe", "");
  if (start->guard.length) channel = open_guard(guard);
  pid_t keeper = fork();
  if (keeper < 0) give_up("fork", "");
  if (keeper == 0) keep_session(start, command, fds, (const int[]){failed[1], session[1], channel, guard->ruleset});
  for (int fd = 0; fd < 3; fd++)
    if (fds[fd] != command->slave) close(fds[fd]);
  if (command->slave >= 0) close(command->slave);
  close(failed[1]);
  close(session[1]);
  if (channel >= 0) close(channel);
  fcntl(session[0], F_SETFL, O_NONBLOCK);
  command->failed = failed[0];
  command->session = session[0];
}
