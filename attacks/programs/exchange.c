/* exchange A B [TIMES]: swaps two names in one step with renameat2. */
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "exchange A B [TIMES]");
  for (long times = argc > 3 ? atol(argv[3]) : 1; times > 0; times--)
    must(syscall(SYS_renameat2, AT_FDCWD, argv[1], AT_FDCWD, argv[2], 2 /* RENAME_EXCHANGE */), "renameat2");
  return 0;
}
