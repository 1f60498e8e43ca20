# Foreign names never reach `compgen -W`, which expands its argument. The code compares them one by one.
# PREFIX KIND [WORD…]: fills COMPREPLY with the words that begin with PREFIX
_holdfast_propose() {
  local prefix=$1 id
  case $2 in
    words) COMPREPLY=($(compgen -W "${*:3}" -- "$prefix")) ;;
    variable) COMPREPLY=($(compgen -e -- "$prefix")) ;;
    file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$prefix") ;;
    directory) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$prefix") ;;
    ids)
      while IFS=$'\t' read -r id _; do
        [[ $id =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ && $id == "$prefix"* ]] && COMPREPLY+=("$id")
      done < <(command holdfast completion ids "$3" 2>/dev/null)
      ;;
  esac
}

# After --: another command, with its own completion
_holdfast_command() {
  if declare -F _command_offset >/dev/null; then _command_offset "$1"
  elif ((COMP_CWORD == $1)); then mapfile -t COMPREPLY < <(compgen -c -- "$2")
  else compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$2")
  fi
}

_holdfast() {
  local REPLY word i kind after='' cur='' last=''
  local -a words=() path=()
  COMPREPLY=()
  for ((i = 2; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    # readline splits --backend=x
    if [[ ($word == = && $last == --?*) || $last == --?*= ]]; then words[${#words[@]}-1]+=$word
    else words+=("$word")
    fi
    last=${words[${#words[@]}-1]}
    if [[ $word == -- ]] && ((i < COMP_CWORD)); then
      _holdfast_command $((i + 1)) "${COMP_WORDS[COMP_CWORD]}"
      return
    fi
  done
  if ((COMP_CWORD < 2)); then
    COMPREPLY=($(compgen -W "$_holdfast_commands help --help --version" -- "${COMP_WORDS[COMP_CWORD]}"))
    return
  fi
  local command=${COMP_WORDS[1]}
  cur=${words[-1]}
  for word in "${words[@]:0:${#words[@]}-1}"; do
    if [[ $after ]]; then after=; continue; fi
    if [[ $word == -* ]]; then
      _holdfast_value "$command" "$word"
      after=$REPLY
      continue
    fi
    _holdfast_actions "$command" "${path[@]}"
    [[ " $REPLY " == *" $word "* ]] && path+=("$word")
  done
  if [[ $after ]]; then
    _holdfast_propose "$cur" $after
  elif [[ $cur == --*=* ]]; then
    _holdfast_value "$command" "${cur%%=*}"
    _holdfast_propose "${cur#*=}" $REPLY
    [[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/${cur%%=*}=}")
  elif [[ $cur == -* ]]; then
    _holdfast_options "$command"
    _holdfast_propose "$cur" words $REPLY --
  else
    _holdfast_actions "$command" "${path[@]}"
    kind=$REPLY
    _holdfast_operand "$command" "${path[@]}"
    if [[ $kind ]]; then _holdfast_propose "$cur" words $kind; elif [[ $REPLY ]]; then _holdfast_propose "$cur" $REPLY; fi
  fi
}
complete -F _holdfast holdfast
