/* Reads and sets facts about a file. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "metadata.h"
#include "../statx.h"
#include "decode.h"
#include "protocol.h"
#include "reply.h"

#define FOLLOW(word) ((word) == SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW)

enum { TYPE_UNKNOWN, TYPE_FILE, TYPE_DIRECTORY, TYPE_SYMLINK, TYPE_FIFO, TYPE_SOCKET, TYPE_CHARACTER, TYPE_BLOCK };

uint8_t type_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return TYPE_FILE;
    case S_IFDIR: return TYPE_DIRECTORY;
    case S_IFLNK: return TYPE_SYMLINK;
    case S_IFIFO: return TYPE_FIFO;
    case S_IFSOCK: return TYPE_SOCKET;
    case S_IFCHR: return TYPE_CHARACTER;
    case S_IFBLK: return TYPE_BLOCK;
    default: return TYPE_UNKNOWN;
  }
}

static void reply_time(struct k_timestamp time) {
  reply_u64((uint64_t)time.seconds);
  reply_u32(time.nanoseconds);
}

bool reply_stat_of(int directory, const char *name, int flags) {
  struct k_statx st;
  if (syscall(SYS_statx, directory, name, flags | AT_NO_AUTOMOUNT, K_STATX_BASIC | K_STATX_BORN, &st)) return false;
  reply_u8(type_of(st.mode));
  reply_u32(st.mode);
  reply_u32(st.links);
  reply_u32(st.uid);
  reply_u32(st.gid);
  reply_u32(st.block_size);
  reply_u64(st.size);
  reply_u64(st.inode);
  reply_u64(makedev(st.device_major, st.device_minor));
  reply_u64(makedev(st.special_major, st.special_minor));
  reply_u64(st.blocks);
  reply_time(st.accessed);
  reply_time(st.modified);
  reply_time(st.changed);
  reply_time(st.mask & K_STATX_BORN ? st.born : (struct k_timestamp){0});
  return true;
}

bool op_stat(const struct operation *operation) {
  bool follow = operation->number[0] == SYMLINK_FOLLOW;
  reply_result(RESULT_STAT);
  return reply_stat_of(AT_FDCWD, operation->path[0], FOLLOW(operation->number[0])) || failed(errno, follow ? "stat" : "lstat");
}

bool op_times(const struct operation *operation) {
  const uint64_t *number = operation->number;
  struct timespec times[2] = {
    {.tv_sec = (time_t)number[0], .tv_nsec = (long)number[1]},
    {.tv_sec = (time_t)number[2], .tv_nsec = (long)number[3]},
  };
  bool follow = number[4] == SYMLINK_FOLLOW;
  return done_or(utimensat(AT_FDCWD, operation->path[0], times, FOLLOW(number[4])), follow ? "utime" : "lutime");
}

bool op_owner(const struct operation *operation) {
  bool follow = operation->number[2] == SYMLINK_FOLLOW;
  uid_t uid = (uid_t)operation->number[0];
  gid_t gid = (gid_t)operation->number[1];
  return done_or(fchownat(AT_FDCWD, operation->path[0], uid, gid, FOLLOW(operation->number[2])), follow ? "chown" : "lchown");
}

bool op_mode(const struct operation *operation) {
  return done_or(fchmodat(AT_FDCWD, operation->path[0], (mode_t)operation->number[0] & 07777, 0), "chmod");
}

bool op_access(const struct operation *operation) {
  return done_or(faccessat(AT_FDCWD, operation->path[0], (int)operation->number[0], 0), "access");
}

bool op_readlink(const struct operation *operation) {
  char text[PATH_MAX];
  ssize_t length = readlinkat(AT_FDCWD, operation->path[0], text, sizeof text);
  if (length < 0) return failed(errno, "readlink");
  reply_result(RESULT_PATH);
  reply_bytes(text, (size_t)length);
  return true;
}

bool op_realpath(const struct operation *operation) {
  char text[PATH_MAX];
  if (!realpath(operation->path[0], text)) return failed(errno, "realpath");
  reply_result(RESULT_PATH);
  for (const char *c = text; *c; c++) reply_u8((uint8_t)*c);
  return true;
}
