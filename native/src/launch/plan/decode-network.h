/* Decodes one step of an open network. Returns NULL, or the fault. */
#ifndef HF_LAUNCH_PLAN_DECODE_NETWORK_H
#define HF_LAUNCH_PLAN_DECODE_NETWORK_H
#include "cursor.h"

struct plan;
const char *decode_netlink(struct plan *plan, unsigned flags, struct cursor *in);
const char *decode_listener(struct plan *plan, unsigned flags, struct cursor *in);
const char *decode_sysctl(struct plan *plan, struct cursor *in);
#endif
