/* The private root of a box. */
#ifndef HF_LAUNCH_ROOT_ROOT_H
#define HF_LAUNCH_ROOT_ROOT_H
struct list;
struct plan;
void build_root(struct plan *plan, const struct list *hits);
#endif
