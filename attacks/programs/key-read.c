/* key-read native|i386|x32: prints the secret of the session keyring, through one of the three system call tables. */
#include <linux/keyctl.h>
#include <sys/mman.h>
#include "tool.h"

struct low {
  char type[8], name[32], text[256];
};

#ifdef __x86_64__
static long call_i386(long a, long b, long c, long d) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(288L), "b"(a), "c"(b), "d"(c), "S"(d), "D"(0L) : "memory", "r8", "r9", "r10", "r11");
  return (int)result;
}
static long call_x32(long a, long b, long c, long d) {
  return syscall(SYS_keyctl | 0x40000000, a, b, c, d, 0);
}
#endif
static long call_native(long a, long b, long c, long d) {
  return syscall(SYS_keyctl, a, b, c, d, 0);
}

int main(int argc, char **argv) {
  need(argc, 2, "key-read native|i386|x32");
  long (*call)(long, long, long, long) = call_native;
#ifdef __x86_64__
  if (strcmp(argv[1], "i386") == 0) call = call_i386;
  if (strcmp(argv[1], "x32") == 0) call = call_x32;
  struct low *low = mmap(NULL, sizeof *low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#else
  if (strcmp(argv[1], "native") != 0) return fputs("key-read: this machine has no such table\n", stderr), 1;
  struct low *low = calloc(1, sizeof *low);
#endif
  strcpy(low->type, "user");
  strcpy(low->name, "holdfast-attack");
  long key = call(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, (long)low->type, (long)low->name);
  if (key < 0 || call(KEYCTL_READ, key, (long)low->text, sizeof low->text - 1) < 0) return fputs("key-read: keyctl failed\n", stderr), 1;
  puts(low->text);
  return 0;
}
