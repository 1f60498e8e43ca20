/* See guest.h. */
#include <string.h>
#include <unistd.h>
#include "guest.h"

int main(int argc, char **argv) {
  if (getpid() == 1 && strcmp(argv[0], "/init") == 0) run_init();
  if (argc >= 5 && strcmp(argv[1], "host") == 0 && strcmp(argv[3], "--") == 0) return run_host(argc, argv);
  static const char text[] = "holdfast-guest: started by hand; use `holdfast run --backend microvm -- COMMAND`\n";
  return write(2, text, sizeof text - 1) < 0 ? 1 : 125;
}
