import { join } from 'node:path';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type {
  Discovery,
  ExecutableField,
  FoundFile,
  TrustEntry,
  TrustRecord,
  TrustState,
  TrustStatus,
} from '../types.ts';

/**
 * Returns the approval state of every found file, and the approved files that are gone, by path. Pure.
 *
 * `approved`: the same file, naming the same scripts with the same contents. `prose`: only text for a model differs.
 * `changed`: anything else that was approved once.
 */
export function trustStatus(
  { files }: Pick<Discovery, 'files'>,
  { entries }: Pick<TrustRecord, 'entries'>,
): readonly TrustStatus[] {
  const approved = Map.groupBy(entries, ({ path }) => path);
  const found = new Set(files.map(({ path }) => path));
  const gone = [...approved].flatMap(([path, [entry]]): readonly TrustStatus[] =>
    found.has(path) || entry === undefined ? [] : [{ path, state: 'gone', entry }],
  );
  return [...files.map((file) => statusOf(file, approved.get(file.path) ?? [])), ...gone].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

function statusOf(found: FoundFile, entries: readonly TrustEntry[]): TrustStatus {
  const { path } = found;
  const same = entries.find((entry) => isSame(found, entry));
  if (same !== undefined) return { path, state: 'approved', found, entry: same };
  const latest = entries.toSorted((a, b) => (a.approvedAt < b.approvedAt ? 1 : -1))[0];
  return latest === undefined
    ? { path, state: 'new', found }
    : { path, state: changeOf(found, latest), found, entry: latest };
}

function isSame(found: FoundFile, entry: TrustEntry): boolean {
  return found.sha256 === entry.sha256 && scriptsText(found) === scriptsText(entry);
}

/** If the fields are unreadable, or the whole file runs as one field, any difference may matter. */
function changeOf(found: FoundFile, entry: TrustEntry): TrustState {
  if (found.problem !== undefined || found.surface.name !== entry.surface || !isProse(found.surface.format, found))
    return 'changed';
  return scriptsText(found) === scriptsText(entry) && effectsText(found.fields) === effectsText(entry.fields)
    ? 'prose'
    : 'changed';
}

/** Whether the format separates fields from text, or the text only instructs. */
function isProse(format: FoundFile['surface']['format'], { surface, fields }: FoundFile): boolean {
  return (
    format === 'markdown' ||
    surface.fields.length > 0 ||
    (fields.length > 0 && fields.every(({ effect }) => effect === 'instructs'))
  );
}

function effectsText(fields: readonly ExecutableField[]): string {
  return canonical(
    fields.filter(({ effect }) => effect !== 'instructs').map(({ path, effect, value }) => [path, effect, value]),
  );
}

function scriptsText({ scripts }: Pick<TrustEntry, 'scripts'>): string {
  return canonical(scripts.map(({ path, sha256 }) => [path, sha256 ?? null]));
}

/** A form that does not depend on the order. */
function canonical(rows: readonly (readonly (string | null)[])[]): string {
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted());
}

/**
 * `refused`: a rule refuses the file despite any approval. `approved`: a rule or a person approved it. `unanswered`:
 * neither did.
 */
type TrustAnswer =
  | { readonly kind: 'approved'; readonly by: 'person' }
  | { readonly kind: 'approved'; readonly by: 'policy'; readonly verdict: Verdict }
  | { readonly kind: 'refused'; readonly verdict: Verdict }
  | { readonly kind: 'unanswered'; readonly verdict: Verdict };

/**
 * Combines the policy's answer and a person's. No other code does. Pure.
 *
 * A deny rule wins over every approval. An allow rule approves these bytes, or any bytes if it names no hash. It covers
 * the file alone: if the file names a script that nobody approved, the file stays unanswered.
 */
export function trustAnswer(
  policy: Policy,
  root: string,
  { state, found }: TrustStatus & { readonly found: FoundFile },
): TrustAnswer {
  const verdict = decide(policy, { kind: 'trust', path: join(root, found.path), sha256: found.sha256 });
  switch (verdict.decision) {
    case 'deny':
    case 'redirect':
    case 'stage':
      return { kind: 'refused', verdict };
    case 'allow':
    case 'audit':
      return state !== 'approved' && found.scripts.length > 0
        ? { kind: 'unanswered', verdict }
        : { kind: 'approved', by: 'policy', verdict };
    case 'ask':
      return state === 'approved' ? { kind: 'approved', by: 'person' } : { kind: 'unanswered', verdict };
  }
}
