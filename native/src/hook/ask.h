/* Asks a server for the decision. */
#pragma once
#include "asked.h"
#include "text.h"

struct answer {
  struct text out, error;
  int status;
};

enum asked ask_server(int server, const char *agent, const struct text *question, struct answer *answer);
