/* setuid open|openat2|mknod FILE: creates a file with the set-user-ID bit from the start, without chmod. */
#include <linux/openat2.h>
#include <sys/stat.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "setuid open|openat2|mknod FILE");
  const int flags = O_CREAT | O_WRONLY, mode = 04755;
  struct open_how how = {.flags = (uint64_t)flags, .mode = (uint64_t)mode};
  umask(0);
  if (strcmp(argv[1], "open") == 0) must(open(argv[2], flags, mode), "open");
  else if (strcmp(argv[1], "openat2") == 0) must(syscall(SYS_openat2, AT_FDCWD, argv[2], &how, sizeof how), "openat2");
  else must(mknod(argv[2], S_IFREG | (mode_t)mode, 0), "mknod");
  return 0;
}
