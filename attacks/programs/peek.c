/* peek PID ADDRESS: prints a text from another process's memory with process_vm_readv. */
#include <sys/uio.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "peek PID ADDRESS");
  char text[128] = "";
  struct iovec to = {text, sizeof text - 1}, from = {(void *)(uintptr_t)strtoull(argv[2], NULL, 16), sizeof text - 1};
  must(process_vm_readv(atoi(argv[1]), &to, 1, &from, 1, 0), "process_vm_readv");
  puts(text);
  return 0;
}
