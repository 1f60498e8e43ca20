/* Meets the names that appear in watched directories. */
#ifndef HF_LAUNCH_WARDEN_APPEAR_H
#define HF_LAUNCH_WARDEN_APPEAR_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/inotify.h>
#include "cover.h"

void meet(struct warden *warden, size_t number, const struct inotify_event *event);
void record_all(struct warden *warden); /* the directories in each directory; a later reading tells them from new ones */
void read_directory(struct warden *warden, size_t number);
void read_all(struct warden *warden);    /* and covers all subjects */
void look_at_all(struct warden *warden); /* the same, if events tell of every change since the watch began */
#endif
