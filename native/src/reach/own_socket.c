#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include "own_socket.h"

/* As in `statePaths` of src/place/host: a relative value is ignored. */
static int runtime_path(char *path, size_t size) {
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length;
  if (runtime != NULL && runtime[0] == '/') length = snprintf(path, size, "%s/holdfast", runtime);
  else if (state != NULL && state[0] == '/') length = snprintf(path, size, "%s/holdfast/run", state);
  else if (home != NULL && home[0] == '/') length = snprintf(path, size, "%s/.local/state/holdfast/run", home);
  else return -1;
  return length > 0 && (size_t)length < size ? 0 : -1;
}

/* Attack: a directory that others can write to, or that a link leads to, contains a socket of theirs. */
static int open_runtime(void) {
  char path[PATH_MAX];
  struct stat is;
  if (runtime_path(path, sizeof path) != 0) return -1;
  int directory = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return -1;
  if (fstat(directory, &is) == 0 && is.st_uid == geteuid() && (is.st_mode & 077) == 0) return directory;
  close(directory);
  return -1;
}

static int same_processes(pid_t other) {
  char path[64], theirs[64], ours[64];
  snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)other);
  ssize_t their_length = readlink(path, theirs, sizeof theirs), our_length = readlink("/proc/self/ns/pid", ours, sizeof ours);
  return their_length > 0 && their_length == our_length && memcmp(theirs, ours, (size_t)our_length) == 0;
}

/* Attack: another user, or a box that can see the directory, listens on the socket, receives the variables and allows
 * everything. */
static int is_own(int server) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return 0;
  return peer.uid == geteuid() && peer.pid > 0 && same_processes(peer.pid);
}

int reach_own(const char *name, int patience) {
  /* A server that hangs costs this much time and no more. */
  const struct timeval limit = {patience / 1000, patience % 1000 * 1000};
  int directory = open_runtime();
  if (directory < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory, name);
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int limited = setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
                setsockopt(server, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0;
  int reached = limited && connect(server, (struct sockaddr *)&address, sizeof address) == 0 && is_own(server);
  close(directory);
  if (reached) return server;
  if (server >= 0) close(server);
  return -1;
}
