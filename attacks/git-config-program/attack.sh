#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
mkdir hooks; cp evil hooks/pre-commit
case $CASE in
  core.fsmonitor) git config core.fsmonitor "$ARENA/ws/evil" ;;
  core.hooksPath) git config core.hooksPath hooks ;;
  filter) git config filter.x.clean "$ARENA/ws/evil"; echo '* filter=x' > .gitattributes ;;
  core.sshCommand) git config core.sshCommand "$ARENA/ws/evil #"; git config remote.origin.url ssh://a.invalid/r; git config remote.origin.fetch "+refs/*:refs/*" ;;
  include.path) git config include.path ../shared.cfg; git config -f shared.cfg core.fsmonitor "$ARENA/ws/evil" ;;
esac
