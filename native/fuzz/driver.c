/* Stands in for libFuzzer where there is no clang: runs every seed, then mutations of them until the time is over.
 * usage: driver SECONDS CRASH_FILE SEED... */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_INPUT (1u << 20)
#define MUTATIONS 12

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
  uint8_t *bytes;
  size_t size;
};

static struct input current;
static const char *crash_file;

static void save(int signal_number) {
  FILE *file = fopen(crash_file, "wb");
  if (file) {
    fwrite(current.bytes, 1, current.size, file);
    fclose(file);
  }
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static struct input read_seed(const char *path) {
  struct input seed = {malloc(MAX_INPUT), 0};
  FILE *file = fopen(path, "rb");
  if (!file || !seed.bytes) {
    perror(path);
    exit(2);
  }
  seed.size = fread(seed.bytes, 1, MAX_INPUT, file);
  fclose(file);
  return seed;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void cut(struct input *input, size_t at, size_t length) {
  memmove(input->bytes + at, input->bytes + at + length, input->size - at - length);
  input->size -= length;
}

/* Takes bytes from the end of one record and corrects its size, so that the decoder gets as far as its payload. */
static void shorten_record(struct input *input, uint64_t *state) {
  uint64_t skip = next_random(state) % 64;
  for (size_t at = 0; input->size >= 8 && at <= input->size - 8;) {
    uint32_t size;
    memcpy(&size, input->bytes + at + 4, 4);
    if (size > input->size - at - 8) return;
    if (skip-- == 0) {
      uint32_t less = (uint32_t)(size ? 1 + next_random(state) % (size < 9 ? size : 9) : 0), shorter = size - less;
      memcpy(input->bytes + at + 4, &shorter, 4);
      cut(input, at + 8 + shorter, less);
      return;
    }
    at += 8 + size;
  }
}

static void mutate(struct input *input, uint64_t *state) {
  static const uint8_t telling[] = {0, 1, 7, 9, 0x7f, 0xff, '/', '.'};
  for (uint64_t rounds = 1 + next_random(state) % 4; rounds && input->size; rounds--) {
    size_t at = next_random(state) % input->size, length = next_random(state) % (input->size - at) % 64;
    switch (next_random(state) % 7) {
      case 0: input->bytes[at] ^= (uint8_t)(1u << next_random(state) % 8); break;
      case 1: input->bytes[at] = (uint8_t)next_random(state); break;
      case 2: input->bytes[at] = telling[next_random(state) % sizeof telling]; break;
      case 3: cut(input, at, length); break;
      case 4: memmove(input->bytes + at, input->bytes + next_random(state) % (input->size - length), length / 2); break;
      default: shorten_record(input, state);
    }
  }
}

/* The seed as it is, and then changed a little more each time. */
static void run_seed(const char *path, uint64_t *state) {
  struct input seed = read_seed(path);
  current = seed;
  for (int i = 0; i < MUTATIONS; i++) {
    LLVMFuzzerTestOneInput(current.bytes, current.size);
    mutate(&current, state);
  }
  free(seed.bytes);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  time_t end = time(NULL) + atoi(argv[1]);
  int seeds = argc - 3;
  crash_file = argv[2];
  signal(SIGABRT, save);
  signal(SIGSEGV, save);
  uint64_t state = 0x9e3779b97f4a7c15, runs = 0;
  for (; runs < (uint64_t)seeds || time(NULL) < end; runs++) run_seed(argv[3 + runs % (uint64_t)seeds], &state);
  /* A target may have given away standard output. */
  fprintf(stderr, "stat::number_of_executed_units: %llu\n", (unsigned long long)runs * MUTATIONS);
  return 0;
}
