#!/bin/sh
set -eu
git init -q .; echo one > file.dat; git add file.dat; git commit -q -m one
mkdir -p scripts/hooks; printf "#!/bin/sh\n" > scripts/hooks/pre-commit; printf '#!/bin/sh\ncat "$1"\n' > scripts/conv; : > scripts/config
chmod +x scripts/hooks/pre-commit scripts/conv
case $CASE in
  hooksPath) git config core.hooksPath scripts/hooks ;;
  hooksPath-link) ln -s scripts/hooks tracked; git config core.hooksPath tracked ;;
  fsmonitor) git config core.fsmonitor scripts/hooks/pre-commit ;;
  textconv) echo "*.dat diff=dat" > .gitattributes; git config diff.dat.textconv "scripts/conv --" ;;
  include) git config include.path ../scripts/config ;;
esac
