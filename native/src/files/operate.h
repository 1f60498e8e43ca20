/* Operations. Each writes exactly one result, and returns true if it succeeded. */
#ifndef HF_FILES_OPERATE_H
#define HF_FILES_OPERATE_H
#include <stdbool.h>

struct operation;
typedef bool operate(const struct operation *operation);
bool failed(int error, const char *call);
bool failed_at(int error, const char *call, const char *path);
bool done_or(int result, const char *call); /* done unless `result` is -1 */
#endif
