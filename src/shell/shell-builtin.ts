import type { AnalysedInvocation, Analysis } from './types.ts';

/**
 * Whether a shell carries this command out itself, so that no program with that name starts. It must be a command in a
 * shell's own text: `env echo` and `xargs test` start the programs. A command that `eval`, `exec`, `command` and
 * `source` run counts separately.
 */
export function isShellBuiltin(
  { argv: [program], parent, relation }: AnalysedInvocation,
  { invocations, top }: Analysis,
): boolean {
  if (program?.kind !== 'static' || program.lead !== undefined || !names.has(program.value)) return false;
  if (relation === 'substitution') return true;
  if (parent === undefined) return top === 'shell';
  return shells.has(invocations[parent]?.tool ?? '');
}

/** Programs whose children are commands of a shell's text. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'eval', 'command', 'builtin', 'trap']);

/** POSIX, "Special Built-In Utilities", with further builtins of bash and dash. */
const names: ReadonlySet<string> = new Set(
  '. : [ alias bg break builtin cd command continue declare dirs disown echo eval exec exit export false fg getopts hash jobs kill let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);
