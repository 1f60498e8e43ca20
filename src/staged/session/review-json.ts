import { isUtf8 } from 'node:buffer';
import { contentDiff } from '../diff/content-diff.ts';
import { describeChange } from '../diff/describe-change.ts';
import { rebaseCommands } from '../diff/git-summary.ts';
import { escapeJson } from '../../text/escape-hidden.ts';
import type { StagedChange, EntryFacts } from '../types.ts';
import type { Review } from './review-layer.ts';

/**
 * Yields a review as one JSON document, in pieces that are quick to write. `patches` adds a unified diff to each change
 * that has one.
 */
export function* reviewJson(
  { layer, changes, counts }: Review,
  patches: 'with-patches' | 'facts-only',
): Generator<string> {
  const head = json({
    layer: layer.id,
    workspace: layer.workspace,
    created: new Date(layer.created).toISOString(),
    counts,
  });
  yield `${head.slice(0, -1)},"changes":[`;
  for (const [index, change] of changes.entries())
    yield `${index === 0 ? '' : ','}\n${json({ ...changeJson(change), ...(patches === 'with-patches' ? patchJson(change) : {}) })}`;
  yield '\n]}\n';
}

/** Also escapes control and invisible characters, because the JSON may be shown in a terminal. */
function json(value: object): string {
  return escapeJson(JSON.stringify(value));
}

/** Returns the kind and the names of a change. */
export function changedNames({ root, kind, from, path }: StagedChange): object {
  return { kind, root: root.root, ...named('path', path), ...(from === undefined ? {} : named('from', from)) };
}

function changeJson(change: StagedChange): object {
  const { before, after, conflict, refusal } = change;
  const commands = rebaseCommands(change);
  return {
    ...changedNames(change),
    ...(before === undefined ? {} : { before: factsJson(before) }),
    ...(after === undefined ? {} : { after: factsJson(after) }),
    ...(conflict === undefined ? {} : { conflict: conflict.reason }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(commands.length === 0 ? {} : { commands }),
  };
}

/** A name that is not UTF-8 comes with its bytes in base64. */
function named(key: string, bytes: Buffer): object {
  return { [key]: bytes.toString('utf8'), ...(isUtf8(bytes) ? {} : { [`${key}Bytes`]: bytes.toString('base64') }) };
}

function factsJson({ type, mode, size, uid, gid, modified, links, target }: EntryFacts): object {
  return {
    type,
    mode: mode.toString(8).padStart(4, '0'),
    size,
    uid,
    gid,
    modified: String(modified),
    links,
    ...(target === undefined ? {} : named('target', target)),
  };
}

function patchJson(change: StagedChange): object {
  const diff = contentDiff(change);
  if (diff.kind !== 'text') return diff.kind === 'none' ? {} : { content: diff.kind };
  const lines = describeChange(change, diff).filter(
    ({ kind }) => kind === 'place' || kind === 'removed' || kind === 'added' || kind === 'context',
  );
  return { patch: lines.map(({ text }) => `${text}\n`).join('') };
}
