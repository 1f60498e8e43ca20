import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export type Shell = 'bash' | 'zsh' | 'fish';

export interface Completing {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Path of the output of `holdfast completion` for this shell. */
  readonly script: string;
}

/** The shell's own proposals at the end of `line`, sorted, without hints. */
export function proposals(shell: Shell, line: string, { cwd, environment, script }: Completing): readonly string[] {
  const [program, ...words] = programs[shell];
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    env: { ...environment, LINE: line, SCRIPT: script },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0 || stderr !== '') throw new Error(`${shell}: ${status} ${stderr}${stdout}`);
  return [
    ...new Set(
      stdout
        .split(/\r?\n/u)
        .map((each) => each.replace(/\t.*$/u, '').trim())
        .filter((each) => each !== ''),
    ),
  ].toSorted();
}

/** As readline does it: the words of the line, split also at = and :, and the function that `complete` names. */
const bash = String.raw`
source "$SCRIPT"
set -u
IFS=' ' read -ra COMP_WORDS <<< "$(sed 's/[=:]/ & /g' <<< "$LINE")"
[[ $LINE == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_LINE=$LINE COMP_POINT=\${#LINE}
read -r _ _ function _ < <(complete -p holdfast)
"$function"
printf '%s\n' "\${COMPREPLY[@]-}"
`.replaceAll('\\$', '$');

const programs: Readonly<Record<Shell, readonly [string, ...string[]]>> = {
  bash: ['bash', '--norc', '-c', bash],
  zsh: ['zsh', '-f', join(import.meta.dirname, 'complete-in-zsh.zsh')],
  fish: ['fish', '--no-config', '-c', 'source $SCRIPT; complete -C "$LINE"'],
};
