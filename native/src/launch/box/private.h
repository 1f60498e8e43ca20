/* The private directories of a box without mounts. */
#ifndef HF_LAUNCH_BOX_PRIVATE_H
#define HF_LAUNCH_BOX_PRIVATE_H
struct plan;
void make_private_directories(const struct plan *plan);
void remove_private_directories(const struct plan *plan);
void sweep_private_directories(const struct plan *plan);
#endif
