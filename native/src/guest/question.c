/* u64 call, then a path and arguments, each with its NUL. A hostile guest may send anything. */
#include <stdlib.h>
#include <string.h>
#include "question.h"
#include "protocol.h"

bool question_decode(struct question *question, uint8_t *payload, size_t length) {
  *question = (struct question){0};
  if (length < sizeof question->call + 2 || length > MAX_ASK || payload[length - 1] != 0) return false;
  memcpy(&question->call, payload, sizeof question->call);
  char *at = (char *)payload + sizeof question->call, *end = (char *)payload + length;
  if (*at != '/') return false;
  question->path = at;
  static char *const none[] = {NULL};
  question->words.items = calloc(1, sizeof none);
  if (!question->words.items) return false;
  for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) strings_push(&question->words, at);
  return true;
}
