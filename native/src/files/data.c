/* Moves contents and attributes from one open file to another. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "data.h"
#include "input.h"

#define K_FICLONE 0x40049409 /* linux/fs.h */
/* Bytes between two checks that the request was not cancelled. */
#define STRETCH (32u << 20)

/* Writes all bytes, or fails. */
ssize_t write_all(int fd, const uint8_t *bytes, size_t length, off_t offset) {
  size_t done = 0;
  while (done < length) {
    ssize_t wrote = offset < 0 ? write(fd, bytes + done, length - done) : pwrite(fd, bytes + done, length - done, offset + (off_t)done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return -1;
    done += (size_t)wrote;
  }
  return (ssize_t)done;
}

static int copy_by_reading(int from, int to, off_t at, off_t end) {
  static uint8_t buffer[64 << 10];
  for (unsigned rounds = 1; at < end; rounds++) {
    size_t want = end - at > (off_t)sizeof buffer ? sizeof buffer : (size_t)(end - at);
    ssize_t got = pread(from, buffer, want, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || (got > 0 && write_all(to, buffer, (size_t)got, at) < 0)) return -1;
    if (got == 0) return 0;
    at += got;
    if (rounds % (STRETCH / sizeof buffer) == 0 && current_cancelled()) return errno = ECANCELED, -1;
  }
  return 0;
}

static bool wants_reading(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == EPERM || error == EBADF;
}

static int copy_range(int from, int to, off_t at, off_t end) {
  while (at < end) {
    off_t in = at, out = at;
    ssize_t got = copy_file_range(from, &in, to, &out, end - at > STRETCH ? STRETCH : (size_t)(end - at), 0);
    if (got < 0 && errno == EINTR) continue;
    /* Nothing was read before the end: this file system generates its contents. */
    if (got == 0 || (got < 0 && wants_reading(errno))) return copy_by_reading(from, to, at, end);
    if (got < 0) return -1;
    at += got;
    if (at < end && current_cancelled()) return errno = ECANCELED, -1;
  }
  return 0;
}

static int copy_segments(int from, int to, off_t size) {
  for (off_t at = 0; at < size;) {
    off_t data = lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break; /* a hole up to the end */
    off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
    if (hole < 0) data = at, hole = size; /* holes are not reported */
    if (hole > size) hole = size;
    if (copy_range(from, to, data, hole)) return -1;
    at = hole;
  }
  return ftruncate(to, size);
}

int copy_content(int from, int to) {
  struct stat st;
  if (fstat(from, &st)) return -1;
  /* A file of size 0 may have content that the kernel generates when it is read. */
  if (st.st_size == 0) return copy_by_reading(from, to, 0, INT64_MAX);
  if (!ioctl(to, K_FICLONE, from)) return 0;
  return copy_segments(from, to, st.st_size);
}

/* It is no failure if a file system keeps no attributes, or not these. A full file system is one. */
int copy_attributes(int from, int to) {
  static char names[64 << 10], value[64 << 10];
  ssize_t length = flistxattr(from, names, sizeof names);
  for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
    ssize_t size = fgetxattr(from, names + at, value, sizeof value);
    if (size >= 0 && fsetxattr(to, names + at, value, (size_t)size, 0) && (errno == ENOSPC || errno == EDQUOT)) return -1;
  }
  return 0;
}
