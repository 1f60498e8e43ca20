/* no_new_privs, and filters of system calls. */
#ifndef HF_LAUNCH_CONFINE_FILTER_H
#define HF_LAUNCH_CONFINE_FILTER_H
#include "../plan/bytes.h"

struct plan;
void no_new_privileges(void);
long install_filter(unsigned flags, struct bytes program); /* of `struct sock_filter`; -1 and errno */
void confine(const struct plan *plan, int ruleset);        /* no_new_privs, Landlock, seccomp: the last steps before exec */
#endif
