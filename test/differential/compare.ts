import { parseScript } from '../../src/shell/parse/parse-script.ts';
import type { ParsedCommand, Script } from '../../src/shell/parse/meter.ts';
import { observeBash } from './bash.ts';
import { generateProgram, type Dialect } from './generator.ts';
import { mutate } from './mutate.ts';
import { observePosix } from './posix.ts';
import { home, type Observed } from './run-programs.ts';

/** A shell, and the language in which the parser reads its programs. */
export interface Subject {
  readonly language: Dialect;
  readonly observe: (programs: readonly string[]) => Promise<readonly Observed[]>;
}

export const bash: Subject = { language: 'bash', observe: observeBash };
export const dash: Subject = { language: 'posix', observe: (programs) => observePosix(programs) };
export const busybox: Subject = {
  language: 'posix',
  observe: (programs) => observePosix(programs, ['/bin/busybox', 'sh']),
};

export interface Figures {
  programs: number;
  /** Programs that the shell did not read, or not to the end. */
  rejected: number;
  /** Programs as written, which the shell read. */
  whole: number;
  /** Whole programs that the parser does not understand. */
  opaque: number;
  /** Understood programs, with a program name that is not static. */
  dynamic: number;
  commands: number;
  readonly misses: Miss[];
}

export interface Miss {
  readonly seed: number;
  readonly program: string;
  /** Commands that the shell ran and the parser missed. */
  readonly ran: readonly string[];
}

const batch = 250;

/** Compares `count` programs from `seed` on. Every third has random damage. */
export async function compareMany(count: number, seed: number, subject: Subject): Promise<Figures> {
  const figures: Figures = { programs: 0, rejected: 0, whole: 0, opaque: 0, dynamic: 0, commands: 0, misses: [] };
  const batches = Array.from({ length: Math.ceil(count / batch) }, (_, index) =>
    Array.from({ length: Math.min(batch, count - index * batch) }, (_, more) => seed + index * batch + more),
  );
  const next = async (): Promise<void> => {
    for (let seeds = batches.shift(); seeds !== undefined; seeds = batches.shift())
      await compareBatch(seeds, figures, subject);
  };
  // Two at a time: shells fork more than they compute, so one runs while the parser reads the other's programs.
  await Promise.all([next(), next()]);
  return figures;
}

function isDamaged(seed: number): boolean {
  return seed % 3 === 0;
}

function programOf(seed: number, language: Dialect): string {
  const program = generateProgram(seed, language);
  // Only bash stops functions that call each other forever. For other shells, programs with functions stay undamaged.
  return isDamaged(seed) && (language === 'bash' || !/g\d+n/u.test(program)) ? mutate(program, seed) : program;
}

async function compareBatch(seeds: readonly number[], figures: Figures, subject: Subject): Promise<void> {
  const programs = seeds.map((seed) => programOf(seed, subject.language));
  const observing = subject.observe(programs);
  const scripts = programs.map((program) => read(program, subject));
  const observed = await observing;
  for (const [index, program] of programs.entries()) {
    const seen = observed[index] as Observed;
    const script = scripts[index] as Script;
    figures.programs += 1;
    figures.commands += seen.ran.length;
    if (seen.rejected) figures.rejected += 1;
    else if (!isDamaged(seeds[index] ?? 0)) {
      figures.whole += 1;
      if (script.opaque.length > 0) figures.opaque += 1;
      else if (script.invocations.some(isDynamic)) figures.dynamic += 1;
    }
    const ran = missed(script, seen) && (await missedAlone(program, subject));
    if (ran !== undefined) figures.misses.push({ seed: seeds[index] ?? 0, program, ran });
  }
}

export function read(program: string, { language }: Pick<Subject, 'language'>): Script {
  return parseScript(program, { language, budget: { steps: 1_000_000 } });
}

/** In a separate shell, no other program can have written the missing part. */
export async function missedAlone(program: string, subject: Subject): Promise<readonly string[] | undefined> {
  const [observed] = await subject.observe([program]);
  return observed && missed(read(program, subject), observed);
}

/** A command that the shell ran, and that neither the list of commands nor a reason for doubt explains. */
export function missed(script: Script, { ran, wanted }: Observed): readonly string[] | undefined {
  if (script.opaque.length > 0 || script.invocations.some(isDynamic)) return undefined;
  const name = wanted.find((program) => !script.invocations.some((invocation) => accountsForName(invocation, program)));
  return (
    ran.find((argv) => !script.invocations.some((invocation) => accountsFor(invocation, argv))) ??
    (name === undefined ? undefined : [name])
  );
}

/** They run the words that follow them. */
const runners = new Set(['command', 'exec']);

/** The name that the shell did not find is the program, or the argument of `command`. */
function accountsForName({ argv }: ParsedCommand, name: string): boolean {
  const words = argv.map((word) =>
    word.kind === 'static' ? (word.lead === 'home' ? home + word.value : word.value) : undefined,
  );
  return (
    words[0] === name ||
    (runners.has(words[0] ?? '') && !/^-./u.test(name) && (words.includes(name) || words.includes(undefined)))
  );
}

function isDynamic({ argv: [program] }: ParsedCommand): boolean {
  return program !== undefined && program.kind !== 'static';
}

/** Every word up to the first non-static one must be equal. `command` and `exec` precede the words that they run. */
function accountsFor({ argv }: ParsedCommand, ran: readonly string[]): boolean {
  const [program] = argv;
  if (program?.kind === 'static' && runners.has(program.value) && ran[0] !== program.value)
    return argv.some((_, index) => index > 0 && accountFor(argv.slice(index), ran));
  return accountFor(argv, ran);
}

function accountFor(argv: ParsedCommand['argv'], ran: readonly string[]): boolean {
  for (const [index, word] of argv.entries()) {
    if (word.kind !== 'static') return true;
    if ((word.lead === 'home' ? home + word.value : word.value) !== ran[index]) return false;
  }
  return argv.length === ran.length;
}
