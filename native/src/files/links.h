/* Names of a file that were copied before. */
#ifndef HF_FILES_LINKS_H
#define HF_FILES_LINKS_H
struct links;
struct stat;
const char *links_find(const struct links *links, const struct stat *st); /* relative to the root of the copy, or NULL */
void links_add(struct links **links, const struct stat *st, const char *path);
void links_free(struct links *links);
#endif
