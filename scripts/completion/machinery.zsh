# Answers of Holdfast are inserted unchanged, so only plain names are accepted.
_holdfast_ids() {
  local line id
  local -a found
  for line in ${(f)"$(command holdfast completion ids $1 2>/dev/null)"}; do
    id=${line%%$'\t'*}
    [[ $id =~ '^[A-Za-z0-9][A-Za-z0-9._-]*$' ]] && found+=("$id:${${line#*$'\t'}//:/\\:}")
  done
  _describe -V $1 found
}

_holdfast_variables() {
  local -a names=(${(k)parameters[(R)*export*]})
  compadd -a names
}

# The words that are neither options nor their values, as left by _arguments
_holdfast_words() {
  local -a way actions
  local word
  for word in ${words[1,CURRENT-1]}; do
    _holdfast_actions $1 $way
    actions=(${reply%%:*})
    (( ${actions[(Ie)$word]} )) && way+=($word)
  done
  _holdfast_actions $1 $way
  if (( $#reply )); then _describe action reply; else _holdfast_operand $1 $way; fi
}

_holdfast() {
  local -i dashes=${words[(ie)--]}
  local -a reply
  local context state line
  typeset -A opt_args
  if (( dashes < CURRENT )); then
    words=("${(@)words[dashes + 1, -1]}")
    (( CURRENT -= dashes ))
    _normal
    return
  fi
  if (( CURRENT == 2 )); then
    _describe command _holdfast_commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  _holdfast_options $command
  _arguments -S "$reply[@]" '*::word:->word' && return
  [[ $state == word ]] && _holdfast_words $command
}

if [[ $funcstack[1] == _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
