/* A question to a server. */
#pragma once
#include "asked.h"
#include "text.h"

/* Puts the directory, the environment and the agent's call into one question. NO_ANSWER if the server could not receive
 * it unchanged. */
enum asked write_question(struct text *question, const char *node, const char *script, const struct text *call);
