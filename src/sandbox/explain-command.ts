import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { type CommandExplanation, explainCommand } from '../policy/command/explain-command.ts';
import type { CommandPart } from '../policy/command/types.ts';
import { analyse } from '../shell/analyse/analyse.ts';
import { classOf, type LineClass } from '../shell/class/class-of.ts';
import { explainAnalysis, printableText, quotedWord } from '../shell/explain/explain.ts';
import type { Analysis } from '../shell/types.ts';
import type { Why } from './why.ts';

/** A command line in parts, with the decision on each. */
export interface ExplainedCommand {
  readonly analysis: Analysis;
  readonly explanation: CommandExplanation;
}

export interface CommandQuestion {
  /** A single string is a text for the shell. Several are a command that no shell reads. */
  readonly words: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
}

/** Explains a command line without running any of it. */
export function explainCommandLine(
  { policy, home, workspace, resolve = () => undefined }: Pick<Why, 'policy' | 'home' | 'workspace' | 'resolve'>,
  { words, cwd }: CommandQuestion,
): ExplainedCommand {
  const [text = '', ...others] = words;
  const analysis = analyse(
    others.length === 0 ? { kind: 'script', text, shell: 'bash' } : { kind: 'argv', argv: words },
    { cwd, home },
  );
  return { analysis, explanation: explainCommand(policy, analysis, { resolve, home, workspace }) };
}

/** Returns the strongest class of the line, and the part with it: `destroys (rm -rf $X: deletes $X)`. */
export function classLine({ analysis, explanation }: ExplainedCommand): string {
  const { kind, because } = explanation.class;
  if (because === undefined) return kind;
  const invocation = analysis.invocations.find(({ id }) => id === because.invocation);
  const part = invocation === undefined ? 'the text' : invocation.argv.map(quotedWord).join(' ');
  return `${kind} (${part === '' ? 'a redirect' : part}: ${printableText(because.why)})`;
}

/** Returns the tree of its commands, with the decision on each and the operations that the box will refuse. */
export function commandTree({ analysis, explanation }: ExplainedCommand): string {
  return explainAnalysis(analysis, {
    notes: ({ id }) => [
      ...decisionsAbout(id, explanation.verdict.parts),
      ...explanation.effects.flatMap(({ invocation, verdict }) =>
        invocation === id && verdict.decision !== 'allow' ? [`the box: ${verdict.message}`] : [],
      ),
    ],
  });
}

/** Leaves out the rule that allows a command if another decision about it is not `allow`. */
function decisionsAbout(id: number, parts: readonly CommandPart[]): readonly string[] {
  const about = parts.filter(({ invocation }) => invocation === id);
  const against = about.filter(({ verdict }) => verdict.decision !== 'allow');
  return (against.length > 0 ? against : about.filter(({ kind }) => kind === 'invocation')).map(({ verdict }) =>
    decisionText(verdict),
  );
}

/** Returns the message. For `allow`, the message already says so. */
export function decisionText({ decision, message }: { readonly decision: string; readonly message: string }): string {
  return decision === 'allow' ? message : `${decision}: ${message}`;
}

export interface CommandClassOptions {
  /** Directory in which the command would run. Default: the working directory of this process. */
  readonly cwd?: string;
  /** Directory that the command may write without changing the machine. Default: `cwd`. */
  readonly workspace?: string;
  /** Directory for `~`. Default: the home directory of this user. */
  readonly home?: string;
}

/**
 * Returns the class of a command line, from `reads` to `anything`, with the reasons. A string is read as bash reads it.
 * An array is one command that no shell reads. Nothing runs, and no policy is asked. Anything not understood counts as
 * `anything`. So a line that only reads may get a stronger class, but no other line gets `reads`.
 *
 * Reading commands of git are judged as Holdfast runs them: without the pager, filters and hooks that a repository
 * names.
 */
export function commandClass(command: string | readonly string[], options: CommandClassOptions = {}): LineClass {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = resolve(options.home ?? homedir());
  const input =
    typeof command === 'string'
      ? ({ kind: 'script', text: command, shell: 'bash' } as const)
      : ({ kind: 'argv', argv: command } as const);
  return classOf(analyse(input, { cwd, home }), { home, workspace: resolve(options.workspace ?? cwd) });
}
