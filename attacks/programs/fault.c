/* fault: opens a userfaultfd, with which a program stops the kernel in the middle of a copy, and prints its
 * features. */
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include "tool.h"

int main(void) {
  int fd = (int)must(syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */), "userfaultfd");
  struct uffdio_api api = {.api = UFFD_API};
  must(ioctl(fd, UFFDIO_API, &api), "UFFDIO_API");
  printf("features %llx\n", (unsigned long long)api.features);
  return 0;
}
