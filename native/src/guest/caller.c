/* Never reads beyond the page in which a text ends, because the next page may not exist. */
#include <string.h>
#include <sys/uio.h>
#include "caller.h"

#define PAGE 4096u

static bool read_memory(pid_t pid, uint64_t address, void *bytes, size_t length) {
  struct iovec ours = {bytes, length}, theirs = {(void *)(uintptr_t)address, length};
  return process_vm_readv(pid, &ours, 1, &theirs, 1, 0) == (ssize_t)length;
}

size_t read_text(pid_t pid, uint64_t address, char *text, size_t room) {
  for (size_t used = 0, part; used < room; used += part) {
    part = PAGE - (size_t)((address + used) % PAGE);
    if (part > room - used) part = room - used;
    if (!read_memory(pid, address + used, text + used, part)) return UNREADABLE;
    const char *end = memchr(text + used, 0, part);
    if (end) return (size_t)(end - text) + 1;
  }
  return room + 1;
}

static void stand_for_many(char *words, size_t *length) {
  size_t first = strnlen(words, MOST_WORD_BYTES - 1);
  memset(words + first, 0, MOST_WORDS + 2);
  *length = first + MOST_WORDS + 2;
}

bool read_words(pid_t pid, uint64_t address, char *words, size_t *length) {
  size_t used = 0;
  *length = 0;
  if (address == 0) return true;
  for (unsigned count = 0;; count++) {
    uint64_t word;
    if (!read_memory(pid, address + count * sizeof word, &word, sizeof word)) return false;
    if (word == 0) break;
    size_t more = read_text(pid, word, words + used, MOST_WORD_BYTES - used);
    if (more == UNREADABLE && used < MOST_WORD_BYTES) return false;
    if (count == MOST_WORDS || more > MOST_WORD_BYTES - used) return stand_for_many(words, length), true;
    used += more;
  }
  *length = used;
  return true;
}
