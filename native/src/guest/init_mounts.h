/* The root of the guest. */
#ifndef HF_GUEST_INIT_MOUNTS_H
#define HF_GUEST_INIT_MOUNTS_H
struct start;
void mount_root(void);
void mount_inside(const struct start *start); /* and makes it the root */
#endif
