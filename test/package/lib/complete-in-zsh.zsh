# Prints zsh's proposals at the end of $LINE, with $SCRIPT loaded. zsh completes only in its editor, so one is started on a
# separate terminal, where `compadd` also prints its arguments.
zmodload zsh/zpty || exit 1
zpty z zsh -f -i
setup=$(mktemp)
cat >$setup <<'END'
PROMPT=
autoload compinit
compinit -u -D
source $SCRIPT
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
mark() { echo -E - $'\0' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
zstyle ':completion:*' insert-tab false
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  typeset -a hits
  builtin compadd -A hits "$@"
  local each
  for each in $hits; do echo -E - "<$each>"; done
  builtin compadd "$@"
}
echo ok
END
zpty -w z "source $setup"
repeat 8; do
  zpty -r z line
  [[ $line == ok* ]] && break
done
rm -f $setup
zpty -w z "$LINE"$'\t'
integer marks=0
while zpty -r z; do :; done | while IFS= read -r line; do
  if [[ $line == *$'\0\r' ]]; then
    (( marks++ )) && exit 0 || continue
  fi
  (( marks )) && [[ $line == *\<*\>* ]] && echo -E - ${${line##*\<}%%\>*}
done
exit 0
