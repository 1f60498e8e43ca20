/* Decodes one step of building the root. Returns NULL, or the fault. */
#ifndef HF_LAUNCH_PLAN_DECODE_MOUNT_H
#define HF_LAUNCH_PLAN_DECODE_MOUNT_H
#include "cursor.h"
#include "plan.h"

const char *decode_mount(struct plan *plan, enum mount_kind kind, unsigned flags, struct cursor *in);
#endif
