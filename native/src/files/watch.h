/* Watches: reports of inotify become events, between two requests. */
#ifndef HF_FILES_WATCH_H
#define HF_FILES_WATCH_H
#include <poll.h>
#include "operate.h"

operate op_watch, op_unwatch;
unsigned watch_descriptors(struct pollfd *to); /* at most MAX_WATCHES */
void watch_events(const struct pollfd *ready, unsigned count);
#endif
