/* watch UID|- WORLD|- -- COMMAND...: runs a command and keeps hold of every process it leaves behind, however often it forks.
 *
 * On fd 3 it writes `exit N` when the command has ended, and on `reap` one line `left PID COMMAND-LINE` for each process
 * that still lives a second later, kills those, and ends. On `end` it kills them at once, and tells nothing. It is a subreaper:
 * orphans come to it, not to init. */
#include <dirent.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "tool.h"

#define CONTROL 3
#define GRACE_MS 1000

static void tell(const char *text) {
  if (write(CONTROL, text, strlen(text)) < 0) return;
}

static void join(const char *pid, const char *namespace, int type) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/ns/%s", pid, namespace);
  int fd = (int)must(open(path, O_RDONLY | O_CLOEXEC), path);
  must(setns(fd, type), path);
  close(fd);
}

/* A process enters a mount namespace at its root, so the way back is kept. */
static void enter(const char *world) {
  char here[PATH_MAX];
  if (strcmp(world, "-") == 0) return;
  must(getcwd(here, sizeof here) ? 0 : -1, "getcwd");
  join(world, "net", CLONE_NEWNET);
  join(world, "mnt", CLONE_NEWNS);
  must(chdir(here), here);
}

static void become(const char *uid) {
  if (strcmp(uid, "-") == 0) return;
  unsigned id = (unsigned)strtoul(uid, NULL, 10);
  must(setgroups(0, NULL), "setgroups");
  must(setresgid(id, id, id), "setresgid");
  must(setresuid(id, id, id), "setresuid");
}

/* Parents of all processes. Calls `each` for this program's children, and returns their number. */
static int each_child(void (*each)(int pid)) {
  int count = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *entry; processes && (entry = readdir(processes));) {
    int pid = atoi(entry->d_name), parent = 0;
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = pid > 0 ? open(path, O_RDONLY) : -1;
    if (fd < 0) continue;
    if (read(fd, line, sizeof line - 1) < 0) line[0] = 0;
    close(fd);
    char *after_name = strrchr(line, ')');
    if (!after_name || sscanf(after_name + 1, " %*c %d", &parent) != 1 || parent != getpid()) continue;
    count++;
    if (each) each(pid);
  }
  if (processes) closedir(processes);
  return count;
}

static void report(int pid) {
  char path[64], words[200] = "", line[300];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  int fd = open(path, O_RDONLY);
  ssize_t length = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
  for (ssize_t i = 0; i + 1 < length; i++)
    if (words[i] == 0 || words[i] == '\n') words[i] = ' ';
  if (fd >= 0) close(fd);
  snprintf(line, sizeof line, "left %d %s\n", pid, words);
  tell(line);
}

static void end(int pid) {
  kill(pid, SIGKILL);
}

static void reap(pid_t command) {
  int state;
  for (pid_t child; (child = waitpid(-1, &state, WNOHANG)) > 0;) {
    if (child != command) continue;
    char line[32];
    snprintf(line, sizeof line, "exit %d\n", WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state));
    tell(line);
  }
}

/* Whether the remaining processes have a second to end by themselves, and are reported. */
static int are_counted(pid_t command) {
  char order[16] = "";
  struct pollfd control = {CONTROL, POLLIN, 0};
  while (poll(&control, 1, 10) <= 0) reap(command);
  return read(CONTROL, order, sizeof order - 1) < 0 || strncmp(order, "end", 3) != 0;
}

static void await_ends(pid_t command) {
  for (int waited = 0; waited < GRACE_MS && each_child(NULL) > 0; waited += 10) {
    usleep(10000);
    reap(command);
  }
  each_child(report);
}

int main(int argc, char **argv) {
  need(argc, 5, "watch UID|- WORLD|- -- COMMAND...");
  signal(SIGPIPE, SIG_IGN);
  must(prctl(PR_SET_CHILD_SUBREAPER, 1), "subreaper");
  fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
  pid_t command = (pid_t)must(fork(), "fork");
  if (command == 0) {
    setsid();
    enter(argv[2]);
    become(argv[1]);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[4], argv + 4);
    must(-1, argv[4]);
  }
  if (are_counted(command)) await_ends(command);
  while (each_child(end) > 0) {
    usleep(5000);
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
  }
  return 0;
}
