/* Reads and writes contents: whole files, and parts of open ones. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "read_write.h"
#include "atomic.h"
#include "data.h"
#include "decode.h"
#include "handles.h"
#include "open.h"
#include "protocol.h"
#include "reply.h"

/* The requested bytes, or fewer at the end of the file. */
static ssize_t read_all(int fd, uint8_t *to, size_t length, uint64_t offset) {
  size_t done = 0;
  while (done < length) {
    ssize_t got = pread(fd, to + done, length - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

static bool answer_content(int fd, uint64_t offset, size_t length) {
  struct stat st;
  if (fstat(fd, &st)) return failed(errno, "fstat");
  if (offset > INT64_MAX) return failed(EINVAL, "read");
  reply_result(RESULT_DATA);
  reply_u64((uint64_t)st.st_size);
  ssize_t got = read_all(fd, reply_room(length), length, offset);
  if (got < 0) return failed(errno, "read");
  reply_used((size_t)got);
  return true;
}

bool op_read(const struct operation *operation) {
  int fd = open_checked(AT_FDCWD, operation->path[0], O_RDONLY, 0);
  if (fd < 0) return failed(errno, "open");
  bool succeeded = answer_content(fd, operation->number[0], operation->number[1]);
  close(fd);
  return succeeded;
}

/* Opening the directory first costs less than a creation that fails, because the guard of the box inspects creations. */
static int open_making(const char *path, int flags, mode_t mode, bool make) {
  if (!make || !(flags & O_CREAT)) return open_checked(AT_FDCWD, path, flags, mode);
  const char *name;
  int parent = open_parent(path, &name, true);
  if (parent == -1) return -1;
  int fd = open_checked(parent, name, flags, mode);
  int error = errno;
  if (parent >= 0) close(parent);
  errno = error;
  return fd;
}

static bool write_atomically(struct replacement *replacement, const struct operation *operation) {
  if (write_all(replace_fd(replacement), operation->data, operation->length, -1) < 0) {
    int error = errno;
    replace_drop(replacement);
    return failed(error, "write");
  }
  return done_or(replace_commit(replacement), "rename");
}

static bool make_above(const char *path) {
  const char *name;
  int parent = open_parent(path, &name, true);
  if (parent >= 0) close(parent);
  return parent != -1;
}

bool op_write(const struct operation *operation) {
  int flags = (int)operation->number[0] & ~O_ACCMODE;
  mode_t mode = (mode_t)operation->number[1];
  bool make = operation->number[2], atomic = operation->number[3];
  if (atomic) {
    struct replacement *replacement;
    if (make && (flags & O_CREAT) && !make_above(operation->path[0])) return failed(errno, "mkdir");
    switch (replace_begin(operation->path[0], flags, mode, &replacement)) {
      case REPLACE_READY: return write_atomically(replacement, operation);
      case REPLACE_FAILED: return failed(errno, "open");
      case REPLACE_IN_PLACE: break;
    }
  }
  int fd = open_making(operation->path[0], flags | O_WRONLY, mode, make);
  if (fd < 0) return failed(errno, "open");
  ssize_t written = write_all(fd, operation->data, operation->length, -1);
  int error = errno;
  close(fd);
  errno = error;
  return done_or(written < 0 ? -1 : 0, "write");
}

static bool answer_handle(struct handle *handle, uint32_t number, int fd, struct replacement *replacement) {
  handle->fd = fd;
  handle->replacement = replacement;
  reply_result(RESULT_OPENED);
  reply_u32(number);
  return true;
}

bool op_open(const struct operation *operation) {
  int flags = (int)operation->number[0];
  mode_t mode = (mode_t)operation->number[1];
  bool make = operation->number[2], atomic = operation->number[3] && (flags & O_ACCMODE) != O_RDONLY;
  uint32_t number;
  struct handle *handle = new_handle(&number);
  if (!handle) return failed(errno, "open");
  if (atomic) {
    struct replacement *replacement;
    if (make && (flags & O_CREAT) && !make_above(operation->path[0])) return failed(errno, "mkdir");
    switch (replace_begin(operation->path[0], flags, mode, &replacement)) {
      case REPLACE_READY: return answer_handle(handle, number, replace_fd(replacement), replacement);
      case REPLACE_FAILED: return failed(errno, "open");
      case REPLACE_IN_PLACE: break;
    }
  }
  int fd = open_making(operation->path[0], flags, mode, make);
  return fd < 0 ? failed(errno, "open") : answer_handle(handle, number, fd, NULL);
}

bool op_read_at(const struct operation *operation) {
  struct handle *handle = find_handle((uint32_t)operation->number[0]);
  return handle ? answer_content(handle->fd, operation->number[1], operation->number[2]) : failed(errno, "read");
}

bool op_write_at(const struct operation *operation) {
  struct handle *handle = find_handle((uint32_t)operation->number[0]);
  if (!handle) return failed(errno, "write");
  off_t offset = (off_t)operation->number[1];
  if (offset == -1 && lseek(handle->fd, 0, SEEK_END) < 0 && errno != ESPIPE) return failed(errno, "write");
  ssize_t written = write_all(handle->fd, operation->data, operation->length, offset);
  if (written < 0) return failed(errno, "write");
  reply_result(RESULT_WRITTEN);
  reply_u32((uint32_t)written);
  return true;
}

bool op_close(const struct operation *operation) {
  struct handle *handle = find_handle((uint32_t)operation->number[0]);
  if (!handle) return failed(errno, "close");
  struct handle closed = *handle;
  free_handle(handle);
  bool synced = operation->number[1] != CLOSE_SYNC || !fsync(closed.fd);
  int error = errno;
  if (!closed.replacement) {
    int result = close(closed.fd);
    return synced ? done_or(result, "close") : failed(error, "fsync");
  }
  if (synced && operation->number[1] != CLOSE_DROP) return done_or(replace_commit(closed.replacement), "rename");
  replace_drop(closed.replacement);
  return synced ? done_or(0, "close") : failed(error, "fsync");
}

bool op_truncate(const struct operation *operation) {
  int fd = open_checked(AT_FDCWD, operation->path[0], O_RDWR, 0);
  if (fd < 0) return failed(errno, "open");
  int result = ftruncate(fd, (off_t)operation->number[0]);
  int error = errno;
  close(fd);
  errno = error;
  return done_or(result, "ftruncate");
}
