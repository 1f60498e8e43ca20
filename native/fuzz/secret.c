/* Looks for a secret in any content. The size has no end mark: one byte too far is found. A second content, of the same
 * bytes over and over, has to be judged in a time that does not grow with its square. */
#include <stdlib.h>
#include <time.h>
#include "../src/launch/names/secret.c"

static bool judged(const uint8_t *data, size_t size) {
  char *content = malloc(size ? size : 1);
  if (!content) abort();
  memcpy(content, data, size);
  bool found = holds((struct text){content, content + size});
  free(content);
  return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t repeated[MOST_READ];
  judged(data, size);
  if (size == 0 || size > 12) return 0;
  for (size_t i = 0; i < sizeof repeated; i++) repeated[i] = data[i % size];
  clock_t began = clock();
  judged(repeated, sizeof repeated);
  if (clock() - began > 5 * CLOCKS_PER_SEC) abort();
  return 0;
}
