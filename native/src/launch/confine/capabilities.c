/* No process in the box needs a capability, and the process that serves it needs few. */
#include <errno.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "capabilities.h"
#include "../report/fail.h"

static long set_capabilities(uint32_t kept) {
  struct { uint32_t version; int pid; } header = {0x20080522, 0};
  struct { uint32_t effective, permitted, inheritable; } sets[2] = {{kept, kept, 0}, {0, 0, 0}};
  return syscall(SYS_capset, &header, sets);
}

void empty_capabilities(void) {
  if (set_capabilities(0)) fail("drop capabilities", "", errno);
}

/* A program that may not be traced (PR_SET_DUMPABLE) can create names like any other. */
void keep_tracing(void) {
  const uint32_t cap_sys_ptrace = 1u << 19;
  if (set_capabilities(cap_sys_ptrace)) empty_capabilities();
}

void drop_capabilities(void) {
  /* Without CAP_SETPCAP the bounding set cannot be reduced, and need not be: no_new_privs keeps the empty sets empty. */
  int capability = 0;
  while (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) capability++;
  if (errno != EPERM && (errno != EINVAL || capability == 0)) fail("drop bounding capability", "", errno);
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)) fail("clear ambient capabilities", "", errno);
  empty_capabilities();
}
