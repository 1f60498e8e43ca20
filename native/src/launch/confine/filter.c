/* The plan contains the filters as programs. */
#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "filter.h"
#include "../../kernel.h"
#include "../plan/plan.h"
#include "../report/fail.h"

void no_new_privileges(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no_new_privs", "", errno);
}

long install_filter(unsigned flags, struct bytes program) {
  struct { unsigned short length; const void *filter; } argument = {(unsigned short)(program.length / 8), program.at};
  const unsigned set_mode_filter = 1, spec_allow = 1u << 2;
  return syscall(SYS_seccomp, set_mode_filter, spec_allow | flags, &argument);
}

void confine(const struct plan *plan, int ruleset) {
  no_new_privileges();
  if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0)) fail("enforce Landlock", "", errno);
  if (plan->plain && install_filter(0, (struct bytes){plan->plain_filter, plan->plain_length * 8})) fail("enforce seccomp", "", errno);
  if (install_filter(0, (struct bytes){plan->filter, plan->filter_length * 8})) fail("enforce seccomp", "", errno);
}
