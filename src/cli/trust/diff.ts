import { isHoldfastError } from '../../errors/index.ts';
import type { DiffLine } from '../../staged/diff/describe-change.ts';
import { visibleName, visibleText } from '../../staged/diff/visible-text.ts';
import { type FieldChange, fieldDiff, type ScriptChange, scriptDiff } from '../../trust/diff/field-diff.ts';
import { approvedBytes, bytesAsShown } from '../../trust/store/approvals-of.ts';
import type { FoundFile, TrustEntry, TrustState } from '../../trust/types.ts';
import { type CommandInput, type CommandIo, isSet, jsonText } from '../command.ts';
import { diffLine, lookOf } from '../terminal/look.ts';
import { patchLines } from '../patch-lines.ts';
import { isApproved, selectNamed, type TrustRow } from './select-rows.ts';
import { trustPlace, type WorkspaceTrust, workspaceTrust } from './workspace-trust.ts';

/** `holdfast trust diff [PATH…]`: shows changes since the approvals, and the whole of unapproved files. */
export async function trustDiffCommand(input: CommandInput, named: readonly string[]): Promise<number> {
  const trust = await workspaceTrust(input, { ...trustPlace(input), look: 'remembered' });
  const open = trust.rows.filter((row) => row.state !== 'approved' && (named.length > 0 || !isApproved(row)));
  const rows =
    named.length === 0
      ? open
      : selectNamed(trust.rows, named, { ...trust, io: input.io }).filter((row) => open.includes(row));
  if (isSet(input.values['json']))
    input.io.stdout.write(jsonText({ workspace: trust.root, files: rows.map((row) => diffJson(row, trust)) }));
  else
    writeLines(
      rows.flatMap((row) => [...describeRow(row), ...patchesOf(row, trust)]),
      input.io,
    );
  return 0;
}

/** Returns differences of texts that speak or run as a whole: of the file, and of the scripts that it names. */
export function patchesOf(
  { state, found, entry }: TrustRow,
  trust: Pick<WorkspaceTrust, 'root' | 'paths'>,
): readonly DiffLine[] {
  if (found === undefined || found.sha256 === '' || found.surface.secrets !== undefined) return [];
  const changed = scriptDiff(entry, found).map(({ path }) => path);
  return [
    ...(found.sha256 === entry?.sha256 || (state !== 'prose' && !isText(found))
      ? []
      : textPatch(
          '',
          { before: entry?.sha256, after: { path: found.target ?? found.path, sha256: found.sha256 } },
          trust,
        )),
    ...changed.flatMap((path) =>
      textPatch(path, { before: scriptOf(entry, path), after: { path, sha256: scriptOf(found, path) } }, trust),
    ),
  ];
}

interface Versions {
  readonly before: string | undefined;
  readonly after: { readonly path: string; readonly sha256: string | undefined };
}

function textPatch(
  name: string,
  { before, after: { path, sha256 } }: Versions,
  { root, paths }: Pick<WorkspaceTrust, 'root' | 'paths'>,
): readonly DiffLine[] {
  const old = before === undefined ? empty : approvedOr(() => approvedBytes(paths, before));
  const fresh = sha256 === undefined ? empty : bytesAsShown(root, { path, sha256 });
  const title: readonly DiffLine[] = name === '' ? [] : [{ kind: 'note', text: `  ${JSON.stringify(name)}` }];
  if (old === undefined)
    return [
      ...title,
      { kind: 'note', text: '  the text that was approved is not in the store: no difference can be shown' },
    ];
  return [...title, ...patchLines(old, fresh)];
}

const empty = Buffer.alloc(0);

/** Holdfast keeps no bytes of a file with secrets, and none for an approval from another machine. */
function approvedOr(read: () => Buffer): Buffer | undefined {
  try {
    return read();
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

/** A file with fields is compared by them. A text difference of thousands of lines would hide them. */
function isText({ surface, problem }: FoundFile): boolean {
  return surface.fields.length === 0 || surface.format === 'markdown' || problem !== undefined;
}

function scriptOf(file: Pick<TrustEntry, 'scripts'> | undefined, path: string): string | undefined {
  return file?.scripts.find((script) => script.path === path)?.sha256;
}

function diffJson(row: TrustRow, trust: WorkspaceTrust): unknown {
  const { path, state, rule, found, entry } = row;
  return {
    path,
    state,
    ...(rule === undefined ? {} : { rule }),
    before: entry?.sha256,
    after: found?.sha256,
    fields: fieldDiff(entry, found),
    scripts: scriptDiff(entry, found),
    patch: patchesOf(row, trust).map(({ text }) => text),
  };
}

function writeLines(lines: readonly DiffLine[], io: CommandIo): void {
  const look = lookOf(io);
  io.stdout.write(lines.map((line) => `${diffLine(line, look)}\n`).join(''));
}

/**
 * Returns the lines that a person reads about one file. They are its kind, and the differing parts that run, connect,
 * redirect, instruct or permit.
 */
export function describeRow(row: TrustRow): readonly DiffLine[] {
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
  const others = surface.clients.length === 1 ? 'any program' : 'other programs';
  const readers = surface.clients.map((client) => (client === 'any' ? others : client)).join(', ');
  return `${surface.kind}, read by ${readers}${surface.gate === 'hidden' ? '' : '; boxes have it anyway'}`;
}

function problemLines(found: FoundFile | undefined): readonly DiffLine[] {
  return found?.problem === undefined
    ? []
    : [{ kind: 'warning', text: `  ${oneLine(found.problem)}: all of it counts as executable` }];
}

function ruleLines({ rule }: TrustRow): readonly DiffLine[] {
  return rule === undefined
    ? []
    : [
        {
          kind: 'note',
          text: `  ${rule.says} by the rule ${oneLine(rule.name)} in ${oneLine(rule.file)}:${rule.line}`,
        },
      ];
}

/** The text follows as a difference, unless it holds secrets. */
function isWholeText({ path }: FieldChange, found: FoundFile | undefined): boolean {
  return path === '' && found !== undefined && found.surface.secrets === undefined;
}

function wholeLines({ effect, before }: FieldChange): readonly DiffLine[] {
  return [{ kind: 'added', text: `  ${before === undefined ? '+' : '~'} ${effect.padEnd(9)} the whole file` }];
}

function fieldLines({ path, effect, before, after }: FieldChange): readonly DiffLine[] {
  const name = `${effect.padEnd(9)} ${path === '' ? 'the whole file' : oneLine(path)}`;
  return [...valueLines('removed', name, before), ...valueLines('added', name, after)];
}

function scriptLines({ path, before, after }: ScriptChange): readonly DiffLine[] {
  const name = `script    ${visibleName(Buffer.from(path))}`;
  return [...valueLines('removed', name, before), ...valueLines('added', name, after)];
}

/**
 * A value of several lines follows below its name, with a bar before each line, so that none passes for one of ours.
 * Shows all lines: an attacker would put commands behind a cut.
 */
function valueLines(kind: 'removed' | 'added', name: string, value: string | undefined): readonly DiffLine[] {
  if (value === undefined) return [];
  const sign = kind === 'removed' ? '-' : '+';
  const lines = value.split('\n');
  const [only = ''] = lines;
  if (lines.length === 1) return [{ kind, text: `  ${sign} ${name} = ${oneLine(only)}` }];
  return [
    { kind, text: `  ${sign} ${name}:` },
    ...lines.map((line): DiffLine => ({ kind, text: `  ${sign}   | ${oneLine(line)}` })),
  ];
}

function oneLine(text: string): string {
  return visibleText(Buffer.from(text));
}
