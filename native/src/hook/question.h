/* A question to a server. */
#pragma once
#include "asked.h"
#include "text.h"

/* Puts the place, the environment and the agent's call into one question. NO_ANSWER where the server could not have it as it is. */
enum asked write_question(struct text *question, const char *node, const char *script, const struct text *call);
