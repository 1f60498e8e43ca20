#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p .attack
secret() { printf '#!/bin/sh\necho %s > loot\n' "$CANARY" > "$1"; chmod 755 "$1"; }
later() { sleep 0.7; "$@"; }
exchange() {
  case $CASE in
    content) secret tool ;;
    file) secret .attack/other; mv .attack/other tool ;;
    link) secret .attack/other; ln -sf .attack/other tool ;;
  esac
}
case $CASE in
  word)
    echo harmless > .attack/allowed; echo "$CANARY" > .attack/refused
    exec python3 - <<'PROGRAM'
import ctypes
import os
import threading
import time

word = ctypes.create_string_buffer(b".attack/allowed", 64)
words = (ctypes.c_char_p * 3)(b"tac", ctypes.cast(word, ctypes.c_char_p), None)


def exchange():
    time.sleep(0.7)
    ctypes.memmove(word, b".attack/refused", 16)


threading.Thread(target=exchange, daemon=True).start()
if os.environ.get("HELD"):
    print("naive asks: tac", word.value, flush=True)
    time.sleep(2)
os.dup2(os.open("loot", os.O_WRONLY | os.O_CREAT, 0o644), 1)
ctypes.CDLL(None).execve(b"/usr/bin/tac", words, None)
PROGRAM
    ;;
  *)
    printf '#!/bin/sh\necho harmless\n' > tool; chmod 755 tool
    later exchange &
    $HELD ./tool
    wait
    ;;
esac
