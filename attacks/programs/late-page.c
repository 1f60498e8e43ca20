/* late-page FIRST THEN SIGN: maps a page with FIRST into stdout's pipe, waits for SIGN, and writes THEN into the
 * page. */
#include <sys/mman.h>
#include <sys/uio.h>
#include "tool.h"

#define PAGE 4096

int main(int argc, char **argv) {
  need(argc, 4, "late-page FIRST THEN SIGN");
  char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct iovec part = {page, PAGE};
  memset(page, '\n', PAGE);
  memcpy(page, argv[1], strlen(argv[1]));
  must(vmsplice(1, &part, 1, 0), "vmsplice");
  for (int tries = 0; access(argv[3], F_OK) && tries < 500; tries++) usleep(10000);
  memset(page, '\n', PAGE);
  memcpy(page, argv[2], strlen(argv[2]));
  return 0;
}
