/* Lists that grow by doubling. */
#include <stdlib.h>
#include <string.h>
#include "list.h"
#include "../report/fail.h"

void *list_push(struct list *list, size_t item_size) {
  if (list->count == list->size) {
    size_t size = list->size ? list->size * 2 : 16;
    void *items = realloc(list->items, size * item_size);
    if (!items) fail("memory", "", 12);
    list->items = items;
    list->size = size;
  }
  void *item = (char *)list->items + list->count++ * item_size;
  memset(item, 0, item_size);
  return item;
}
