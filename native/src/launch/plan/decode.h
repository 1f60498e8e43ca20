/* Decodes a plan. Never reads outside [bytes, bytes + length). */
#ifndef HF_LAUNCH_PLAN_DECODE_H
#define HF_LAUNCH_PLAN_DECODE_H
#include <stddef.h>
#include <stdint.h>

struct plan;
#define MAX_PLAN (64u << 20)
/* Returns NULL, or a text that names the fault in the bytes. */
const char *plan_decode(struct plan *plan, uint8_t *bytes, size_t length);
/* The same for the records of a command alone, which a warm box receives later. */
const char *command_decode(struct plan *plan, uint8_t *bytes, size_t length);
#endif
