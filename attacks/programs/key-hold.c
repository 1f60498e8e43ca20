/* key-hold TEXT COMMAND...: runs COMMAND with a session keyring that holds TEXT, as a login with Kerberos does. */
#include <linux/keyctl.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "key-hold TEXT COMMAND...");
  must(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL), "join session keyring");
  must(syscall(SYS_add_key, "user", "holdfast-attack", argv[1], strlen(argv[1]), KEY_SPEC_SESSION_KEYRING), "add_key");
  execvp(argv[2], argv + 2);
  return (int)must(-1, argv[2]);
}
