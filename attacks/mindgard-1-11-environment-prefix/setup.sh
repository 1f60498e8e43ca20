#!/bin/sh
set -eu
git init -q .
echo "$CANARY-granted-" > granted
git add granted
git commit -q -m one
echo more >> granted
echo '#include <stdlib.h>
__attribute__((constructor)) static void load(void) { unsetenv("LD_PRELOAD"); unsetenv("LD_AUDIT"); if (system("sh trip.sh")) exit(1); }' > "$ARENA/notes/evil.c"
cc -shared -fPIC -o evil.so "$ARENA/notes/evil.c"
