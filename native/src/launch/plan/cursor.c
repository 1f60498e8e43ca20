/* Checks every length before it is used, because the bytes could be hostile. */
#include <string.h>
#include "cursor.h"

bool take_string(struct cursor *in, const char **text) {
  uint8_t *nul = memchr(in->at, 0, (size_t)(in->end - in->at));
  if (!nul) return false;
  *text = (const char *)in->at;
  in->at = nul + 1;
  return true;
}

bool take(struct cursor *in, void *value, size_t size) {
  if ((size_t)(in->end - in->at) < size) return false;
  memcpy(value, in->at, size);
  in->at += size;
  return true;
}

/* Absolute, without empty, `.` or `..` components, and without a trailing slash, as a path must be to be walked
 * component by component. */
static bool is_clean_path(const char *path) {
  if (path[0] != '/') return false;
  if (path[1] == 0) return true;
  for (const char *c = path; *c;) {
    const char *next = strchrnul(c + 1, '/');
    size_t length = (size_t)(next - c) - 1;
    if (length == 0 || (length == 1 && c[1] == '.') || (length == 2 && c[1] == '.' && c[2] == '.')) return false;
    c = next;
  }
  return true;
}

bool take_path(struct cursor *in, const char **path) {
  return take_string(in, path) && is_clean_path(*path);
}
