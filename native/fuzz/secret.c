/* Looks for a secret in any content. The size has no end mark: one byte too far is found. Two more contents, of the same
 * bytes over and over, have to be judged in a time that does not grow with their square. One ends in a placeholder. */
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

static void judge_in_time(const uint8_t *data, size_t size) {
  clock_t began = clock();
  judged(data, size);
  if (clock() - began > 5 * CLOCKS_PER_SEC) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t repeated[MOST_READ];
  judged(data, size);
  if (size == 0 || size > 12) return 0;
  for (size_t i = 0; i < sizeof repeated; i++) repeated[i] = data[i % size];
  judge_in_time(repeated, sizeof repeated);
  memcpy(repeated + sizeof repeated - 5, "1todo", 5);
  judge_in_time(repeated, sizeof repeated);
  return 0;
}
