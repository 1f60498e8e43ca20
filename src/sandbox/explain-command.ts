import { type CommandExplanation, explainCommand } from '../policy/command/explain-command.ts';
import type { CommandPart } from '../policy/command/types.ts';
import { analyse, type Analysis, explainAnalysis, printableText, quotedWord } from '../shell/index.ts';
import type { Why } from './why.ts';

/** A command line taken apart, with what becomes of it. */
export interface ExplainedCommand {
  readonly analysis: Analysis;
  readonly explanation: CommandExplanation;
}

export interface CommandQuestion {
  /** One word is a text for the shell, several are a command as it stands. */
  readonly words: readonly string[];
  /** Absolute. */
  readonly cwd: string;
}

/** Nothing of it runs. */
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

/** What it can do at most, with the part of it that does, on one line: `destroys (rm -rf $X: deletes $X)`. */
export function classLine({ analysis, explanation }: ExplainedCommand): string {
  const { kind, because } = explanation.class;
  if (because === undefined) return kind;
  const invocation = analysis.invocations.find(({ id }) => id === because.invocation);
  const part = invocation === undefined ? 'the text' : invocation.argv.map(quotedWord).join(' ');
  return `${kind} (${part === '' ? 'a redirect' : part}: ${printableText(because.why)})`;
}

/** The tree of its commands, with what is decided about each and what the box will refuse it. */
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

/** That a rule allows a command is nothing to say where something else about it does not. */
function decisionsAbout(id: number, parts: readonly CommandPart[]): readonly string[] {
  const about = parts.filter(({ invocation }) => invocation === id);
  const against = about.filter(({ verdict }) => verdict.decision !== 'allow');
  return (against.length > 0 ? against : about.filter(({ kind }) => kind === 'invocation')).map(({ verdict }) =>
    decisionText(verdict),
  );
}

/** What is allowed says so itself. */
export function decisionText({ decision, message }: { readonly decision: string; readonly message: string }): string {
  return decision === 'allow' ? message : `${decision}: ${message}`;
}
