import type { Line } from '../../staged/diff/describe-change.ts';
import { fieldDiff, type FieldChange, scriptDiff, type ScriptChange } from '../../trust/diff/field-diff.ts';
import type { FoundFile, TrustState } from '../../trust/types.ts';
import { visibleName, visibleText } from '../../staged/diff/visible-text.ts';
import type { TrustRow } from './trust-row.ts';

/**
 * What a person reads of one file: what it is, and what of it that runs, connects, redirects, instructs or permits is
 * another than was approved.
 */
export function describeRow(row: TrustRow): readonly Line[] {
  return [
    {
      kind: 'heading',
      text: `${stateWord(row)} ${visibleName(Buffer.from(row.path))}${row.found === undefined ? '' : `  (${kindText(row.found)})`}`,
    },
    ...problemLines(row.found),
    ...ruleLines(row),
    ...fieldDiff(row.entry, row.found).flatMap((change) =>
      isWholeText(change, row.found) ? wholeLines(change) : fieldLines(change),
    ),
    ...scriptDiff(row.entry, row.found).flatMap(scriptLines),
  ];
}

const words: Readonly<Record<TrustState, string>> = {
  approved: 'approved',
  new: 'new',
  changed: 'changed',
  prose: 'prose',
  gone: 'gone',
};

/** One word of at most eight letters. */
export function stateWord({ state, rule, signer }: TrustRow): string {
  if (rule === undefined) return signer === undefined ? words[state] : 'signed';
  return rule.says === 'refused' ? 'refused' : 'by rule';
}

export function kindText({ surface }: FoundFile): string {
  return `${surface.kind} of ${surface.clients.join(', ')}${surface.gate === 'hidden' ? '' : ', listed only'}`;
}

function problemLines(found: FoundFile | undefined): readonly Line[] {
  return found?.problem === undefined
    ? []
    : [{ kind: 'warning', text: `  ${oneLine(found.problem)}: all of it counts as executable` }];
}

function ruleLines({ rule }: TrustRow): readonly Line[] {
  return rule === undefined
    ? []
    : [
        {
          kind: 'note',
          text: `  ${rule.says} by the rule ${oneLine(rule.name)} in ${oneLine(rule.file)}:${rule.line}`,
        },
      ];
}

/** The text itself stands below, as a difference; where there are secrets in it, it does not. */
function isWholeText({ path }: FieldChange, found: FoundFile | undefined): boolean {
  return path === '' && found !== undefined && found.surface.secrets === undefined;
}

function wholeLines({ effect, before }: FieldChange): readonly Line[] {
  return [{ kind: 'added', text: `  ${before === undefined ? '+' : '~'} ${effect.padEnd(9)} the whole file` }];
}

function fieldLines({ path, effect, before, after }: FieldChange): readonly Line[] {
  const name = `${effect.padEnd(9)} ${path === '' ? 'the whole file' : oneLine(path)}`;
  return [...valueLines('removed', name, before), ...valueLines('added', name, after)];
}

function scriptLines({ path, before, after }: ScriptChange): readonly Line[] {
  const name = `script    ${visibleName(Buffer.from(path))}`;
  return [...valueLines('removed', name, before), ...valueLines('added', name, after)];
}

/**
 * A value of several lines stands below its name, each line behind a bar: none of them can pass for one of ours. All of
 * them: what runs would stand where the list was cut off.
 */
function valueLines(kind: 'removed' | 'added', name: string, value: string | undefined): readonly Line[] {
  if (value === undefined) return [];
  const sign = kind === 'removed' ? '-' : '+';
  const lines = value.split('\n');
  const [only = ''] = lines;
  if (lines.length === 1) return [{ kind, text: `  ${sign} ${name} = ${oneLine(only)}` }];
  return [
    { kind, text: `  ${sign} ${name}:` },
    ...lines.map((line): Line => ({ kind, text: `  ${sign}   | ${oneLine(line)}` })),
  ];
}

function oneLine(text: string): string {
  return visibleText(Buffer.from(text));
}
