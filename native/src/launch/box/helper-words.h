/* Arguments of bubblewrap. */
#ifndef HF_LAUNCH_BOX_HELPER_WORDS_H
#define HF_LAUNCH_BOX_HELPER_WORDS_H
#include <stddef.h>

struct list;
struct plan;
char **helper_words(const struct plan *plan, const struct list *hits); /* NULL comes last */
int data_fd(const char *text, size_t length); /* a descriptor that holds `text`, above those with fixed numbers */
#endif
