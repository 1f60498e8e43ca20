/* A box without namespaces. */
#ifndef HF_LAUNCH_BOX_PLAIN_H
#define HF_LAUNCH_BOX_PLAIN_H
#include "box.h"

struct box start_plain(struct plan *plan, struct handover hand);
#endif
