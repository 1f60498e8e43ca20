/* holdfast-hook: what the settings of a coding agent start for each call of a hook. It asks the user's own `holdfast serve` for the decision, in
 * the protocol of src/serve, and where none answers in time starts Node, which decides by the same code. It decides nothing itself. */
#pragma once
#include <stddef.h>

enum {
  /* Bytes of a question, and of what is printed on one stream: `mostBytes` of src/serve/requests/decide.ts. */
  MOST_BYTES = 192 * 1024,
};

struct text {
  size_t length;
  char bytes[MOST_BYTES];
};

struct answer {
  struct text out, error;
  int status;
};

enum asked { ANSWERED, NO_ANSWER };

/* Of the agents' protocols: every other status than this and 0 lets the tool run. */
enum { REFUSED = 2 };

/* Says what is wrong, and why by `errno`. */
_Noreturn void refuse(const char *what);

/* 0 at the end of the stream. */
size_t read_some(int from, char *bytes, size_t length);

/* From now on this process ends when it has taken longer than the agents wait. */
void keep_time(void);

/* Puts the place, the environment and the agent's call into one question. NO_ANSWER where the server could not have it as it is. */
enum asked write_question(struct text *question, const char *node, const char *script, const struct text *call);

enum asked ask_server(int server, const char *agent, const struct text *question, struct answer *answer);

/* Ends with its status. The call is on stdin. */
_Noreturn void decide_by_node(char **words);
