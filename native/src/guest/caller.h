/* Memory of a caller that has stopped. Another of its threads may change the memory at any moment. */
#ifndef HF_GUEST_CALLER_H
#define HF_GUEST_CALLER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define UNREADABLE 0
/* Bytes of a text with its NUL; UNREADABLE; or more than `room` for a longer text. */
size_t read_text(pid_t pid, uint64_t address, char *text, size_t room);
/* The most that rules are applied to. src/notify/listener/caller-words.ts has the same figures. */
#define MOST_WORDS 4096u
#define MOST_WORD_BYTES (256u << 10)
#define WORDS_ROOM (MOST_WORD_BYTES + MOST_WORDS + 8)
/* Writes the arguments of a command, each with its NUL, into WORDS_ROOM bytes. If there are too many, writes the first
 * ones, and more empty ones than rules are applied to. */
bool read_words(pid_t pid, uint64_t address, char *words, size_t *length);
#endif
