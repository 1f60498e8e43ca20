import type { ParsedCommand } from './meter.ts';

/** Marks the commands of jobs for which the text does not certainly wait. */
export function markJobs(
  text: string,
  invocations: readonly ParsedCommand[],
  defined: ReadonlySet<string>,
): readonly ParsedCommand[] {
  const started = invocations.filter(({ job }) => job !== undefined);
  if (started.length === 0) return invocations;
  const waits = defined.has('wait') || mayFail.test(text) ? [] : invocations.filter((each) => isWait(each, started));
  const ends = invocations.filter((each) => endings.has(nameOf(each)));
  const set = invocations.find((each) => settings.has(nameOf(each)))?.id ?? Infinity;
  const isAwaited = ({ id, job }: ParsedCommand): boolean =>
    waits.some(
      (wait) =>
        wait.shell === job?.by && wait.id > id && wait.id < set && !ends.some((end) => end.id > id && end.id < wait.id),
    );
  return invocations.map((each) => (each.job === undefined || isAwaited(each) ? each : { ...each, goesOn: true }));
}

/** Expansions whose errors end the shell: `${x:?}`, and a division by zero. Attack: `sleep 9 & echo ${x:?}; wait`. */
const mayFail = /\$\{[^}]*\?|\$?\(\(|\$\[/u;

/**
 * `wait` alone waits for all jobs of its shell. `wait $!` and `wait %1` wait for one that certainly started. A redirect may
 * fail, and `wait 1` is an error.
 */
function isWait({ argv, redirects, runs, shell }: ParsedCommand, started: readonly ParsedCommand[]): boolean {
  const [name, word] = argv;
  if (runs !== 'always' || name?.kind !== 'static' || name.value !== 'wait' || redirects.length > 0) return false;
  if (word === undefined) return true;
  const own = started.filter(({ job }) => job?.by === shell);
  const isOne = new Set(own.map(({ job }) => job?.shell)).size === 1 && own.every((each) => each.runs === 'always');
  const spelling = word.kind === 'static' ? word.value : 'text' in word ? word.text : '';
  return isOne && argv.length === 2 && /^(?:"?\$!"?|%1)$/u.test(spelling);
}

/** Attack: `sleep 9 & exit; wait`. */
const endings: ReadonlySet<string> = new Set(['exit', 'return', 'logout', 'exec', 'kill', 'suspend', 'disown']);
/** Attack: `set -e; sleep 9 & false; wait`. They end the shell at some later command. */
const settings: ReadonlySet<string> = new Set(['set', 'trap', 'shopt']);
const runners: ReadonlySet<string> = new Set(['command', 'builtin']);

function nameOf({ argv }: ParsedCommand): string {
  const words = argv.flatMap((word) => (word.kind === 'static' ? [word.value] : []));
  const [name = ''] = runners.has(words[0] ?? '') ? words.slice(1) : words;
  return name;
}
