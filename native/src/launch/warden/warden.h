/* Covers paths again that a program outside uncovers while a box runs. */
#ifndef HF_LAUNCH_WARDEN_WARDEN_H
#define HF_LAUNCH_WARDEN_WARDEN_H
#include "cover.h"

_Noreturn void run_warden(const struct plan *plan, struct warded warded);
#endif
