/* terminal sti|sti-high-bits TEXT | terminal linux: types into the terminal on stdin, or asks the console's own ioctl. */
#include <sys/ioctl.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 2, "terminal sti|sti-high-bits TEXT | terminal linux");
  if (strcmp(argv[1], "linux") == 0) {
    char shift_state = 6; /* TIOCL_GETSHIFTSTATE */
    must(ioctl(0, TIOCLINUX, &shift_state), "TIOCLINUX");
    return printf("shift state %d\n", shift_state), 0;
  }
  /* The kernel reads the low 32 bits of the request (CVE-2019-10063, CVE-2023-28100). */
  unsigned long request = strcmp(argv[1], "sti") == 0 ? TIOCSTI : TIOCSTI | 1ul << 32;
  for (const char *c = argc > 2 ? argv[2] : ""; *c; c++) must(syscall(SYS_ioctl, 0, request, c), "TIOCSTI");
  return 0;
}
