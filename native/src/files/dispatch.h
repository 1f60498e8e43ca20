/* Runs requests. */
#ifndef HF_FILES_DISPATCH_H
#define HF_FILES_DISPATCH_H
#include <stdbool.h>

struct frame;
struct operation;
bool run_operation(const struct operation *operation);
void run_request(const struct frame *frame);
#endif
