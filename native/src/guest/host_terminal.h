/* The terminal of the person who started the command. */
#ifndef HF_GUEST_HOST_TERMINAL_H
#define HF_GUEST_HOST_TERMINAL_H
#include <stdbool.h>
#include <stdint.h>
#include "start.h"

bool is_raw(uint64_t terminals);
uint64_t find_terminals(uint64_t number[N_COUNT]);
void terminal_raw(void);
void terminal_back(void);
#endif
