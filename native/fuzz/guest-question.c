/* libFuzzer target: the question of a hostile guest about a program, and the first line of a hostile script. The first byte chooses.
 * The results are within the bytes, and the host and the guard rely on them. scripts/fuzz-launcher.sh builds it with the sanitizers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../src/guest/question.h"
#include "../src/guest/script.h"

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

static void read_question(const uint8_t *bytes, size_t size) {
  uint8_t *payload = malloc(size ? size : 1); /* of this size, so that a byte beyond it is noticed */
  struct question question;
  if (!payload) abort();
  memcpy(payload, bytes, size);
  if (question_decode(&question, payload, size)) {
    size_t used = sizeof question.call + strlen(question.path) + 1;
    require(question.path[0] == '/', "a path is not absolute");
    for (size_t i = 0; i < question.words.count; i++) {
      require(question.words.items[i] == (char *)payload + used, "a word is not where the last one ends");
      used += strlen(question.words.items[i]) + 1;
    }
    require(question.words.items[question.words.count] == NULL, "the words have no end");
    require(used == size, "something is left over");
    free(question.words.items);
  }
  free(payload);
}

static void read_script(const uint8_t *bytes, size_t size) {
  char *start = malloc(size ? size : 1), path[SCRIPT_START];
  if (!start) abort();
  memcpy(start, bytes, size);
  if (interpreter_of(start, size, path)) {
    require(start[0] == '#' && start[1] == '!', "an interpreter of what is no script");
    require(path[0] && !strpbrk(path, " \t\n"), "an interpreter with a blank, or without a name");
  }
  free(start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2 == 0) read_question(data + 1, size - 1);
  else read_script(data + 1, size - 1);
  return 0;
}
