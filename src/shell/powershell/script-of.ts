import type { ParsedCommand, Script } from '../parse/index.ts';
import type { Opacity, Redirect, Word } from '../types.ts';
import type { Report, ReportedCommand, ReportedWord } from './protocol.ts';

/**
 * The commands that PowerShell found in a text, for `analyse`. Undefined as a report: PowerShell has not answered, and nothing
 * is known. Its cmdlets have no specifications, so most of what it runs is asked about; this makes the programs visible to rules.
 */
export function scriptOf(report: Report | undefined, text: string): Script {
  const whole = { start: 0, end: text.length };
  if (report === undefined) return { invocations: [], defined: new Set(), shells: [undefined], opaque: [{ kind: 'shell', message: 'PowerShell did not tell what the text runs', span: whole }] };
  const errors = report.errors.map(({ message, start, end }): Opacity => ({ kind: 'syntax', message, span: { start, end } }));
  const strange = report.strange.map((name): Opacity => ({ kind: 'uncovered', message: `\`${name}\` of PowerShell is not looked into`, span: whole }));
  return { invocations: report.commands.map(commandOf), defined: new Set(), shells: [undefined], opaque: [...errors, ...strange] };
}

function commandOf(command: ReportedCommand, id: number): ParsedCommand {
  const { words, redirects, piped, top, start, end } = command;
  return {
    id,
    parent: undefined,
    relation: 'script',
    argv: words.map(wordOf),
    assignments: [],
    redirects: redirects.map(({ append, target }): Redirect => ({ use: append ? 'append' : 'write', target: wordOf(target), span: { start: target.start, end: target.end } })),
    stdin: piped ? { kind: 'pipe', from: undefined } : { kind: 'inherited' },
    runs: top ? 'always' : 'conditional',
    span: { start, end },
    shell: 0,
    // `;` and line breaks are all that is told apart: a `cd` is certain for nobody.
    after: 'any',
    place: top ? 'list' : 'branch',
  };
}

/** PowerShell expands `~` and patterns only in some cmdlets: such words are not known. */
function wordOf({ kind, text, value = '', start, end }: ReportedWord): Word {
  const span = { start, end };
  if (kind === 'dynamic' || /^~|[*?[\]]/u.test(value)) return { kind: 'dynamic', text, because: 'expansion', span };
  return { kind: 'static', value, span };
}
