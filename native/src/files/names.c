/* Moves and adds names, and creates temporary ones. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "names.h"
#include "decode.h"
#include "open.h"
#include "protocol.h"
#include "reply.h"

#define TRIES 100

bool op_rename(const struct operation *operation) {
  static const unsigned flags[] = {[RENAME_OVER] = 0, [RENAME_REFUSE] = 1, [RENAME_SWAP] = 2}; /* linux/fs.h */
  long result = syscall(SYS_renameat2, AT_FDCWD, operation->path[0], AT_FDCWD, operation->path[1], flags[operation->number[0]]);
  return done_or((int)result, "rename");
}

bool op_link(const struct operation *operation) {
  return done_or(linkat(AT_FDCWD, operation->path[0], AT_FDCWD, operation->path[1], 0), "link");
}

bool op_symlink(const struct operation *operation) {
  return done_or(symlinkat(operation->path[0], AT_FDCWD, operation->path[1]), "symlink");
}

bool op_make_directory(const struct operation *operation) {
  mode_t mode = (mode_t)operation->number[0] & 01777;
  bool make = operation->number[1];
  return done_or(make ? make_directories(operation->path[0], mode) : mkdirat(AT_FDCWD, operation->path[0], mode), "mkdir");
}

static int make_temporary(const char *path, bool directory) {
  if (directory) return mkdirat(AT_FDCWD, path, 0700);
  int fd = open_checked(AT_FDCWD, path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, 0600);
  return fd < 0 ? -1 : close(fd);
}

bool op_temporary(const struct operation *operation) {
  bool directory = operation->number[0];
  const char *call = directory ? "mkdtemp" : "open";
  char path[4096], middle[13] = "";
  if (strchr(operation->path[1], '/') || strchr(operation->path[2], '/')) return failed(EINVAL, call);
  for (int i = 0; i < TRIES; i++) {
    random_name(middle, sizeof middle - 1);
    const char *above = operation->path[0], *slash = *above && above[strlen(above) - 1] == '/' ? "" : "/";
    int length = snprintf(path, sizeof path, "%s%s%s%s%s", above, slash, operation->path[1], middle, operation->path[2]);
    if (length >= (int)sizeof path) return failed(ENAMETOOLONG, call);
    if (make_temporary(path, directory)) {
      if (errno == EEXIST) continue;
      return failed(errno, call);
    }
    reply_result(RESULT_PATH);
    reply_bytes(path, (size_t)length);
    return true;
  }
  return failed(EEXIST, call);
}
