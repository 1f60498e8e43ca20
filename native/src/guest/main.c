/* holdfast-guest: both ends of a microVM.
 *
 * `host` runs in the native box instead of the command: it starts qemu and represents the command to the launcher.
 * `init` is PID 1 of the guest: it mounts the box's root over 9p and runs the command there. Between them is one byte
 * stream, the port of a virtio-serial device. The host trusts nothing that the guest sends, and checks every length. */
#include <string.h>
#include <unistd.h>
#include "host.h"
#include "init.h"

int main(int argc, char **argv) {
  if (getpid() == 1 && strcmp(argv[0], "/init") == 0) run_init();
  if (argc >= 5 && strcmp(argv[1], "host") == 0 && strcmp(argv[3], "--") == 0) return run_host(argc, argv);
  static const char text[] = "holdfast-guest: started by hand; use `holdfast run --backend microvm -- COMMAND`\n";
  return write(2, text, sizeof text - 1) < 0 ? 1 : 125;
}
