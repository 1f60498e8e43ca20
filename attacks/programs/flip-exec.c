/* flip-exec WHAT PROGRAM A B TIMES [ARGUMENT]: starts PROGRAM with a word that another thread exchanges between A and B all the while. WHAT: path
 * (the program itself is A or B, with ARGUMENT or `-`), word (its only argument is). Its output goes to stdout. */
#include <pthread.h>
#include <sys/wait.h>
#include "tool.h"

static char text[4096];
static char *words[2];
static volatile int over;

static void *exchange(void *unused) {
  for (unsigned turn = 0; !over; turn++) memcpy(text, words[turn & 1], strlen(words[turn & 1]) + 1);
  return NULL;
}

int main(int argc, char **argv) {
  need(argc, 6, "flip-exec WHAT PROGRAM A B TIMES [ARGUMENT]");
  words[0] = argv[3];
  words[1] = argv[4];
  memcpy(text, words[0], strlen(words[0]) + 1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, exchange, NULL)) return 1;
  char *argument = argc > 6 ? argv[6] : "-";
  int is_path = strcmp(argv[1], "path") == 0;
  for (long times = atol(argv[5]); times > 0; times--) {
    char *command[] = {is_path ? "x" : argv[2], is_path ? argument : text, NULL};
    /* It shares its memory with the thread that continues. */
    pid_t child = vfork();
    if (child == 0) {
      execve(is_path ? text : argv[2], command, environ);
      _exit(127);
    }
    if (child > 0) waitpid(child, NULL, 0);
  }
  over = 1;
  pthread_join(thread, NULL);
  return 0;
}
