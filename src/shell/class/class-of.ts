/**
 * The most that a command line can do, in one of seven words. The classes, the bounds, and further effects of tools are
 * tables. `classOf` reads an analysis by them and looks nothing up.
 */
import { isHarmlessSetting } from '../loads-code.ts';
import { isShellBuiltin } from '../shell-builtin.ts';
import { plainText, wordAsTyped } from '../tools/words.ts';
import type { AnalysedInvocation, Analysis, Opacity, TimeSpan } from '../types.ts';
import { atLeastRows } from './at-least.ts';
import { runsAreBounded } from './at-most.ts';
import { type CommandClass, compareClasses } from './command-class.ts';
import { type ClassPlace, classOfWrite } from './path-class.ts';

/** Why a part of a line has its class. */
export interface ClassReason {
  readonly kind: CommandClass;
  /** One clause for a person, about the command: "deletes $X". */
  readonly why: string;
  /** Position of the part in the analysed text. */
  readonly span: TimeSpan;
  /** Its command. Undefined for the text as a whole. */
  readonly invocation: number | undefined;
  /** `shell`: effects of the shell around the program, by redirects and variables. */
  readonly from: 'program' | 'shell';
  /** The cause, if it is something that is not understood. */
  readonly opacity?: Opacity;
}

/** The most that a command line can do. */
export interface LineClass {
  readonly kind: CommandClass;
  /** The first of its strongest reasons. Undefined if the line only reads. */
  readonly because: ClassReason | undefined;
  /** Every reason for more than reading, in the order of the text. */
  readonly reasons: readonly ClassReason[];
}

/**
 * Returns the class of a line: the strongest of all its parts. Pure, and never throws. An unknown part is `anything`,
 * so that no line is `reads` by mistake.
 */
export function classOf(analysis: Analysis, place: ClassPlace): LineClass {
  const around: Around = { analysis, place, endless: endless(analysis) };
  const all = [
    ...analysis.opaque.map((opacity) => opacityReason(opacity, undefined, place)),
    ...analysis.invocations.flatMap((invocation) => reasonsOf(invocation, around)),
  ];
  const reasons = all.filter(({ kind }) => kind !== 'reads');
  const because = strongest(reasons);
  return { kind: because?.kind ?? 'reads', because, reasons };
}

/** The first of the strongest. */
function strongest(reasons: readonly ClassReason[]): ClassReason | undefined {
  return reasons.reduce<ClassReason | undefined>(
    (before, reason) => (before === undefined || compareClasses(reason.kind, before.kind) > 0 ? reason : before),
    undefined,
  );
}

interface Around {
  readonly analysis: Analysis;
  readonly place: ClassPlace;
  readonly endless: ReadonlySet<number>;
}

function reasonsOf(invocation: AnalysedInvocation, around: Around): readonly ClassReason[] {
  const { effects, id, span, tool } = invocation;
  const of = (kind: CommandClass, why: string, from: ClassReason['from'] = 'program'): ClassReason => ({
    kind,
    why,
    span,
    invocation: id,
    from,
  });
  const redirected = new Set(invocation.redirects.map(({ target }) => wordAsTyped(target)));
  const shellOf = (text: string): ClassReason['from'] => (redirected.has(text) ? 'shell' : 'program');
  const runs = tool !== undefined && runsAreBounded(tool) ? [] : effects.runs;
  return [
    ...(around.endless.has(id) ? [of('destroys', 'calls itself, and may never end')] : []),
    ...(invocation.floods === true ? [of('destroys', 'starts processes without an end', 'shell')] : []),
    ...(invocation.goesOn === true ? [of('leaves the session behind', 'goes on when the line ends', 'shell')] : []),
    ...atLeastRows(invocation).map((row) => of(row.class, row.why)),
    ...effects.writes.map((effect) =>
      of(
        classOfWrite(effect, around.place),
        `${effect.use === 'delete' ? 'deletes' : 'writes'} ${effect.text}`,
        shellOf(effect.text),
      ),
    ),
    ...effects.hosts.map(({ text }) => of('reaches out', `connects to ${text}`, shellOf(text))),
    ...effects.opaque.map((opacity) => opacityReason(opacity, id, around.place)),
    ...runs.map(({ what }) => of('anything', `runs ${what}`)),
    ...strangeVariables(invocation, around.analysis).map((name) =>
      of('anything', `\`${name}\` may change the effect of the command`, 'shell'),
    ),
  ];
}

function opacityReason(opacity: Opacity, invocation: number | undefined, { git = 'neutral' }: ClassPlace): ClassReason {
  const { atMost = 'anything', kind, message, span } = opacity;
  const isBound = kind !== 'repository-code' || git === 'neutral';
  return { kind: isBound ? atMost : 'anything', why: message, span, invocation, opacity, from: 'program' };
}

/** Variables of a program that nobody knows to be harmless. A builtin such as `read` gets none. */
function strangeVariables(invocation: AnalysedInvocation, analysis: Analysis): readonly string[] {
  const { argv, assignments } = invocation;
  if (argv.length === 0 || assignments.length === 0) return [];
  if (keepsVariables.has(plainText(argv[0]) ?? '') && isShellBuiltin(invocation, analysis)) return [];
  return assignments
    .filter(({ name, value }) => !knownVariables.test(name) && !isHarmlessSetting(name, plainText(value)))
    .map(({ name }) => name);
}

const keepsVariables: ReadonlySet<string> = new Set(
  'read mapfile readarray echo printf test [ : true false pwd cd'.split(' '),
);
const knownVariables =
  /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|DEBUG|VERBOSE|NODE_ENV|RUST_BACKTRACE|RUST_LOG|LS_COLORS|GREP_COLORS?|QUOTING_STYLE|TIME_STYLE|BLOCK_SIZE|PYTHONUNBUFFERED|IFS|GIT_(?:OPTIONAL_LOCKS|TERMINAL_PROMPT))$/u;

/**
 * Returns commands that call a function that they are part of, directly or through others: `:(){ :|:& };:`. Nobody
 * knows that it ends.
 */
function endless({ invocations }: Analysis): ReadonlySet<number> {
  const calls = invocations.flatMap((invocation) => {
    const [within] = functionsAround(invocation, invocations).slice(-1);
    const called = plainText(invocation.argv[0]);
    return within === undefined || called === undefined ? [] : [{ id: invocation.id, within, called }];
  });
  const byFunction = new Map<string, Set<string>>();
  for (const { within, called } of calls) byFunction.set(within, (byFunction.get(within) ?? new Set()).add(called));
  return new Set(calls.filter(({ within, called }) => leadsTo(called, within, byFunction)).map(({ id }) => id));
}

/** For a command that another one runs: the functions around that one. */
function functionsAround(
  { inside, parent }: AnalysedInvocation,
  invocations: readonly AnalysedInvocation[],
): readonly string[] {
  let [around, above] = [inside, parent];
  while (around === undefined && above !== undefined) {
    const runner: AnalysedInvocation | undefined = invocations[above];
    [around, above] = [runner?.inside, runner?.parent];
  }
  return around ?? [];
}

function leadsTo(from: string, to: string, calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(calls.get(name) ?? []));
  }
  return false;
}
