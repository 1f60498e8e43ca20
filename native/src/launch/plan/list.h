/* A list that grows. All its items have one type, which the comment at its declaration names. */
#ifndef HF_LAUNCH_PLAN_LIST_H
#define HF_LAUNCH_PLAN_LIST_H
#include <stddef.h>

struct list {
  void *items;
  size_t count, size;
};
void *list_push(struct list *list, size_t item_size); /* a new item, all zero */
#define LIST_AT(list, type, index) (((type *)(list).items)[index])
#endif
