/* persona NAME: changes the kernel's mode for this process and its children, and prints the kernel's description of
 * it. */
#include <sys/personality.h>
#include "tool.h"

int main(int argc, char **argv) {
  const struct {
    const char *name;
    unsigned long persona;
  } ways[] = {{"page-zero", MMAP_PAGE_ZERO}, {"executable", READ_IMPLIES_EXEC}, {"old-layout", ADDR_COMPAT_LAYOUT}, {"old-name", UNAME26}, {"bsd", PER_BSD}};
  need(argc, 2, "persona page-zero|executable|old-layout|old-name|bsd");
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (strcmp(argv[1], ways[i].name)) continue;
    must(personality(ways[i].persona), "personality");
    return printf("%s %lx\n", argv[1], (unsigned long)must(personality(0xffffffff), "query")), 0;
  }
  return 2;
}
