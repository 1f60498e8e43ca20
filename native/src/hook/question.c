#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "question.h"

extern char **environ;

static enum asked add(struct text *to, const char *bytes, size_t length) {
  if (length > sizeof to->bytes - to->length) return NO_ANSWER;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  return ANSWERED;
}

/* A text that ends with NUL. */
static enum asked add_line(struct text *to, const char *format, ...) {
  char line[4096];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return length < 0 || (size_t)length >= sizeof line ? NO_ANSWER : add(to, line, (size_t)length + 1);
}

/* As `identityOf` of src/serve/requests/hook-question.ts. */
static enum asked add_identity(struct text *to, const char *path) {
  struct stat is;
  if (stat(path, &is) != 0) return NO_ANSWER;
  return add_line(to, "%llu:%llu:%lld:%lld.%ld", (unsigned long long)is.st_dev, (unsigned long long)is.st_ino, (long long)is.st_size, (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
}

static enum asked add_view(struct text *to) {
  struct stat root;
  char mounts[64];
  ssize_t length = readlink("/proc/self/ns/mnt", mounts, sizeof mounts - 1);
  if (length < 0 || stat("/", &root) != 0) return NO_ANSWER;
  mounts[length] = 0;
  if (add_line(to, "%llu:%llu", (unsigned long long)root.st_dev, (unsigned long long)root.st_ino) != ANSWERED) return NO_ANSWER;
  return add_line(to, "%s", mounts);
}

/* Node leaves out invalid variables, so the server would not know them. PWD is the directory in which the hook was
 * started. */
static enum asked add_environment(struct text *to) {
  static char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL || setenv("PWD", here, 1) != 0) return NO_ANSWER;
  for (char **each = environ; *each != NULL; each++) {
    char *equals = strchr(*each, '=');
    if (equals == NULL || equals == *each || add(to, *each, strlen(*each) + 1) != ANSWERED) return NO_ANSWER;
  }
  return add(to, "", 1);
}

enum asked write_question(struct text *question, const char *node, const char *script, const struct text *call) {
  question->length = 0;
  if (node[0] != '/' || script[0] != '/') return NO_ANSWER;
  if (add_line(question, "%s", node) != ANSWERED || add_line(question, "%s", script) != ANSWERED) return NO_ANSWER;
  if (add_identity(question, node) != ANSWERED || add_identity(question, script) != ANSWERED) return NO_ANSWER;
  if (add_view(question) != ANSWERED || add_environment(question) != ANSWERED) return NO_ANSWER;
  return add(question, call->bytes, call->length);
}
