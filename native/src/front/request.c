#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "request.h"

extern char **environ;

/* `mostBytes` of src/serve/resident/front-request.ts. */
enum { MOST = 8 * 1024 * 1024, HEAD = 8 };

static void put_number(unsigned char *to, size_t number) {
  uint32_t value = (uint32_t)number;
  memcpy(to, &value, sizeof value);
}

struct texts {
  size_t count, bytes;
};

static struct texts measure(char **texts) {
  struct texts found = {0, 0};
  for (; texts[found.count] != NULL; found.count++) found.bytes += strlen(texts[found.count]) + 1;
  return found;
}

static unsigned char *put_texts(unsigned char *at, char **texts) {
  for (; *texts != NULL; texts++) {
    size_t length = strlen(*texts) + 1;
    memcpy(at, *texts, length);
    at += length;
  }
  return at;
}

static int terminals(void) {
  return (isatty(0) ? 1 : 0) | (isatty(1) ? 2 : 0) | (isatty(2) ? 4 : 0);
}

/* `HFQ1`, u32 length of the rest; u32 terminals, u32 number of arguments, u32 number of variables; then the working
 * directory, the arguments and the variables, each ended by NUL. */
struct request write_request(char **words) {
  static char here[PATH_MAX];
  struct request request = {NULL, 0};
  if (getcwd(here, sizeof here) == NULL || here[0] != '/') return request;
  struct texts said = measure(words), known = measure(environ);
  size_t length = 12 + strlen(here) + 1 + said.bytes + known.bytes;
  if (length > MOST || (request.bytes = malloc(HEAD + length)) == NULL) return request;
  memcpy(request.bytes, "HFQ1", 4);
  put_number(request.bytes + 4, length);
  put_number(request.bytes + 8, (size_t)terminals());
  put_number(request.bytes + 12, said.count);
  put_number(request.bytes + 16, known.count);
  unsigned char *at = request.bytes + 20;
  memcpy(at, here, strlen(here) + 1);
  put_texts(put_texts(at + strlen(here) + 1, words), environ);
  request.length = HEAD + length;
  return request;
}
