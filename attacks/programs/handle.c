/* handle name FILE | handle open DIRECTORY HANDLE: gets the handle of a file, and opens the file by that handle
 * alone. */
#include "tool.h"

struct numbered {
  struct file_handle head;
  unsigned char bytes[MAX_HANDLE_SZ];
};

static int print_name(const char *file) {
  struct numbered handle = {.head.handle_bytes = MAX_HANDLE_SZ};
  int mount;
  must(name_to_handle_at(AT_FDCWD, file, &handle.head, &mount, 0), "name_to_handle_at");
  printf("%x", (unsigned)handle.head.handle_type);
  for (unsigned i = 0; i < handle.head.handle_bytes; i++) printf(" %x", handle.head.f_handle[i]);
  puts("");
  return 0;
}

static int open_named(const char *directory, char *text) {
  struct numbered handle = {.head.handle_bytes = 0};
  char *rest = text;
  handle.head.handle_type = (int)strtol(rest, &rest, 16);
  while (*rest == ' ') handle.head.f_handle[handle.head.handle_bytes++] = (unsigned char)strtoul(rest, &rest, 16);
  int mount = (int)must(open(directory, O_RDONLY | O_DIRECTORY), directory);
  int fd = (int)must(open_by_handle_at(mount, &handle.head, O_RDONLY), "open_by_handle_at");
  char content[256] = "";
  must(read(fd, content, sizeof content - 1), "read");
  puts(content);
  return 0;
}

int main(int argc, char **argv) {
  need(argc, 3, "handle name FILE | handle open DIRECTORY HANDLE");
  return strcmp(argv[1], "name") == 0 ? print_name(argv[2]) : open_named(argv[2], argc > 3 ? argv[3] : "0");
}
