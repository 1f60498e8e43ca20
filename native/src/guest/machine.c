/* The file that the backend writes for `host`, with one `KEY VALUE` on each line. It is part of the plan, not of the
 * workspace. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "machine.h"

static const struct {
  const char *key;
  enum number number;
} numbers[] = {{"processes", N_PROCESSES}, {"files", N_FILES}, {"cpu", N_CPU}, {"file-size", N_FILE_SIZE}, {"shm", N_SHM}, {"network", N_NETWORK}, {"listed", N_LISTED}};

const char *read_file(const char *path, struct blob *blob) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st)) return path;
  size_t size = (size_t)st.st_size, length = 0;
  uint8_t *bytes = malloc(size + 1);
  for (ssize_t got; bytes && length < size && (got = read(fd, bytes + length, size - length)) > 0;) length += (size_t)got;
  close(fd);
  if (!bytes || length != size) return path;
  bytes[length] = 0;
  *blob = (struct blob){length, bytes};
  return NULL;
}

#ifdef __x86_64__
static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* An emulated machine uses the counter of this machine. A guest without another clock would wait for ever to measure
 * its rate. */
static uint64_t counter_khz(void) {
  const struct timespec pause = {0, 10 * 1000 * 1000};
  uint64_t began = nanoseconds(), first = __builtin_ia32_rdtsc();
  nanosleep(&pause, NULL);
  uint64_t counted = __builtin_ia32_rdtsc() - first, took = nanoseconds() - began;
  return counted * 1000000 / took;
}
#else
static uint64_t counter_khz(void) {
  return 0;
}
#endif

static void push_kernel_words(struct machine *machine, const char *words) {
  static char text[1024];
  snprintf(text, sizeof text, "%s tsc_early_khz=%llu", words, (unsigned long long)counter_khz());
  strings_push(&machine->words, "-append");
  strings_push(&machine->words, text);
}

static const char *take_line(const char *key, char *value, struct machine *machine, struct start *start) {
  if (strcmp(key, "word") == 0) return strings_push(&machine->words, value), NULL;
  if (strcmp(key, "emulated-kernel") == 0) return push_kernel_words(machine, value), NULL;
  if (strcmp(key, "tmpfs") == 0) return strings_push(&start->tmpfs, value), NULL;
  if (strcmp(key, "execute") == 0) return strings_push(&start->programs, value), NULL;
  if (strcmp(key, "patience") == 0) return machine->patience = strtoull(value, NULL, 10), NULL;
  if (strcmp(key, "tell") == 0) return machine->tells = strcmp(value, "start") == 0, machine->tells ? NULL : key;
  if (strcmp(key, "filter") == 0) return read_file(value, &start->filter);
  if (strcmp(key, "guard") == 0) return read_file(value, &start->guard);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(key, numbers[i].key) == 0) return start->number[numbers[i].number] = strtoull(value, NULL, 10), NULL;
  return key;
}

const char *machine_read(const char *path, struct machine *machine, struct start *start) {
  struct blob text;
  if (read_file(path, &text)) return path;
  char *next = NULL;
  for (char *line = strtok_r((char *)text.bytes, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
    char *value = strchr(line, ' ');
    if (!value) return line;
    *value = 0;
    const char *wrong = take_line(line, value + 1, machine, start);
    if (wrong) return wrong;
  }
  return machine->words.count ? NULL : path;
}
