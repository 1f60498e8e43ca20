/* Watches of files and directories: `inotify_add_watch`. */
#ifndef HF_LAUNCH_GUARD_WATCHES_H
#define HF_LAUNCH_GUARD_WATCHES_H

struct plan;
struct k_notification;
void serve_watch(int listener, const struct plan *plan, const struct k_notification *call);
#endif
