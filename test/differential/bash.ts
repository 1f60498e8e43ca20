/**
 * Asks bash which programs it runs. Takes programs, and returns the argument lists for which it looked up a program.
 */
import { runPrograms, type Observed } from './run-programs.ts';

/** A line end would split a record into two writes, and others might come between. */
const oneLine = ['$', "{words//$'\\n'/$'\\2'}"].join('');

/**
 * Names of the generator are functions, because a function costs no process. This PATH holds nothing, so the handler
 * gets every other name. Every program has its own shell, a second of time, and a limit on nested functions.
 */
const driver = String.raw`
exec 9>&1 8>&2
ulimit -f 64 -n 200 -c 0
command_not_found_handle() { local IFS=$'\1' words; words="$*"; printf '@@%s@%s@@\0' "$holdfast_index" "${oneLine}" >&9; case $1 in *t) return 0;; esac; return 127; }
for name in q{1..40}{t,f}; do
  case $name in *t) status=0;; *) status=127;; esac
  eval "$name() { local IFS=$'\\1' words; set -- $name \"\$@\"; words=\"\$*\"; printf '@@%s@%s@@\\0' \"\$holdfast_index\" \"${oneLine.replaceAll('$', String.raw`\$`)}\" >&9; return $status; }"
done
unset name status
TIMEFORMAT= FUNCNEST=3 holdfast_index=0
while IFS= read -r -d '' holdfast_program; do
  holdfast_index=$((holdfast_index + 1))
  printf '\n%s:\n' "$holdfast_index" >&8
  ( ulimit -t 1; unset REPLY; eval "$holdfast_program" ) </dev/null >/dev/null
done
`;

export function observeBash(programs: readonly string[]): Promise<readonly Observed[]> {
  return runPrograms(programs, (rest) => ({
    argv: ['/bin/bash', '--norc', '--noprofile', '-O', 'extglob', '-c', driver],
    input: rest.map((program) => `${program}\0`).join(''),
  }));
}
