#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include "resident_name.h"

/* FNV-1a with 64 bits. It separates versions. The directory and the peer decide who may listen. */
static uint64_t mix(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
  return hash;
}

/* Uses the change time, because an update may give a file the size, the time and even the inode of the old one. */
static int add_identity(uint64_t *hash, const char *path) {
  struct stat is;
  char text[160];
  if (stat(path, &is) != 0) return -1;
  int length = snprintf(text, sizeof text, "%llu:%llu:%lld:%lld.%ld:%lld.%ld\n", (unsigned long long)is.st_dev,
                        (unsigned long long)is.st_ino, (long long)is.st_size, (long long)is.st_mtim.tv_sec,
                        is.st_mtim.tv_nsec, (long long)is.st_ctim.tv_sec, is.st_ctim.tv_nsec);
  if (length < 0 || (size_t)length >= sizeof text) return -1;
  *hash = mix(*hash, text);
  return 0;
}

int resident_name(char name[RESIDENT_NAME], const char *prefix, const struct installation *files) {
  uint64_t hash = 0xcbf29ce484222325u;
  const char *paths[] = {files->node, files->script, files->launcher};
  for (int i = 0; i < 3; i++)
    if (add_identity(&hash, paths[i]) != 0) return -1;
  int length = snprintf(name, RESIDENT_NAME, "%s-%016llx.sock", prefix, (unsigned long long)hash);
  return length > 0 && length < RESIDENT_NAME ? 0 : -1;
}
