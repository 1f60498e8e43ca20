/* Lists directories, as many entries at a time as one frame holds. A directory stays open between requests, because
 * positions in it are the file system's own numbers, too large for a caller that counts in doubles. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "list.h"
#include "decode.h"
#include "metadata.h"
#include "open.h"
#include "protocol.h"
#include "reply.h"
#include "walk.h"

#define ENOUGH (256u << 10)
#define HAS_STAT 0x80

static struct listing {
  int fd;
  uint32_t number; /* 0: free */
} listings[MAX_LISTINGS];
static uint32_t last_number;

/* To make room, the listing that was continued least recently is closed. */
static uint32_t keep_listing(int fd) {
  struct listing *place = &listings[0];
  for (unsigned i = 1; i < MAX_LISTINGS && place->number; i++)
    if (listings[i].number < place->number) place = &listings[i];
  if (place->number) close(place->fd);
  if (++last_number == 0) last_number = 1;
  *place = (struct listing){fd, last_number};
  return last_number;
}

static int resume_listing(uint32_t number) {
  for (unsigned i = 0; i < MAX_LISTINGS; i++)
    if (number && listings[i].number == number) return listings[i].number = 0, listings[i].fd;
  return errno = ESTALE, -1;
}

uint8_t type_of_entry(unsigned char type) {
  return type_of(DTTOIF(type));
}

static uint8_t ask_type(int fd, const struct k_dirent *entry) {
  struct stat st;
  if (entry->type != DT_UNKNOWN || fstatat(fd, entry->name, &st, AT_SYMLINK_NOFOLLOW)) return type_of_entry(entry->type);
  return type_of(st.st_mode);
}

static void reply_name(unsigned type, const char *name) {
  size_t length = strlen(name);
  reply_u8(type);
  reply_u16((unsigned)length);
  reply_bytes(name, length);
}

static void reply_entry(int fd, const struct k_dirent *entry, bool stat) {
  uint8_t type = ask_type(fd, entry);
  size_t start = reply_size();
  reply_name(stat ? type | HAS_STAT : type, entry->name);
  if (!stat || reply_stat_of(fd, entry->name, AT_SYMLINK_NOFOLLOW)) return;
  reply_undo(start); /* it was removed */
  reply_name(type, entry->name);
}

static bool is_dot(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* 1 if there may be more, 0 at the end, -1 and errno. */
static int reply_entries(int fd, bool stat) {
  static char chunk[32 << 10] __attribute__((aligned(8)));
  size_t start = reply_size();
  while (reply_size() - start < ENOUGH) {
    long got = syscall(SYS_getdents64, fd, chunk, sizeof chunk);
    if (got <= 0) return (int)got;
    for (long at = 0; at < got;) {
      const struct k_dirent *entry = (const void *)(chunk + at);
      at += entry->size;
      if (!is_dot(entry->name)) reply_entry(fd, entry, stat);
    }
  }
  return 1;
}

bool op_list(const struct operation *operation) {
  uint32_t from = (uint32_t)operation->number[0];
  int fd = from ? resume_listing(from) : open_checked(AT_FDCWD, operation->path[0], O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0) return failed(errno, "scandir");
  reply_result(RESULT_ENTRIES);
  size_t more = reply_size();
  reply_u32(0);
  int left = reply_entries(fd, operation->number[1]);
  if (left > 0) {
    reply_put_u32(more, keep_listing(fd));
    return true;
  }
  int error = errno;
  close(fd);
  return left == 0 || failed(error, "scandir");
}
