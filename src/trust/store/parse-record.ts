import type { ExecutableField, FieldEffect, TrustEntry, TrustLevel, TrustRecord } from '../types.ts';
import { invalidFile, newerStore } from './write-own-file.ts';
import { sha256Pattern } from './layout.ts';

export interface RecordFile {
  /** Path of the bytes, for errors. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Parses a record exactly as `recordText` writes it. A repeated, extra or nested entry, or one called `__proto__`,
 * would be written back differently, and is refused. Throws `HF_TRUST_INVALID`.
 */
export function parseRecord({ path, bytes }: RecordFile, level: TrustLevel): TrustRecord {
  const text = textOf(path, bytes);
  const value = valueOf(path, text);
  if (isObject(value) && typeof value['version'] === 'number' && value['version'] > 1) throw newerStore(path);
  const record = recordOf(value, level);
  if (record === undefined || recordText(record) !== text)
    throw invalidFile(path, 'is not in the form that Holdfast writes');
  if (new Set(record.entries.map((entry) => entry.path)).size < record.entries.length)
    throw invalidFile(path, 'names a file twice');
  return record;
}

/** The only valid form of a record. */
export function recordText({ workspace, entries }: TrustRecord): string {
  return `${JSON.stringify({ version: 1, workspace, entries: entries.map(plainEntry) }, undefined, 1)}\n`;
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidFile(path, 'is not UTF-8', cause);
  }
}

function valueOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidFile(path, text === '' ? 'is empty' : 'is broken or cut off', cause);
  }
}

function recordOf(value: unknown, level: TrustLevel): TrustRecord | undefined {
  if (!isObject(value) || value['version'] !== 1 || !isText(value['workspace'])) return undefined;
  const entries = listOf(value['entries'], (entry) => entryOf(entry, level));
  return entries === undefined ? undefined : { version: 1, workspace: value['workspace'], entries };
}

function entryOf(value: unknown, level: TrustLevel): TrustEntry | undefined {
  if (!isObject(value)) return undefined;
  const { path, sha256, surface, approvedAt, signer } = value;
  const fields = listOf(value['fields'], fieldOf);
  const scripts = listOf(value['scripts'], scriptOf);
  if (
    !isPlace(path) ||
    !isHash(sha256) ||
    !isText(surface) ||
    value['level'] !== level ||
    !isTime(approvedAt) ||
    !(signer === undefined || isText(signer)) ||
    fields === undefined ||
    scripts === undefined
  )
    return undefined;
  return { path, sha256, surface, level, approvedAt, ...(signer === undefined ? {} : { signer }), fields, scripts };
}

function fieldOf(value: unknown): ExecutableField | undefined {
  if (!isObject(value)) return undefined;
  const { path, effect, value: text } = value;
  return typeof path === 'string' && isEffect(effect) && typeof text === 'string'
    ? { path, effect, value: text }
    : undefined;
}

function scriptOf(value: unknown): TrustEntry['scripts'][number] | undefined {
  if (!isObject(value)) return undefined;
  const { path, sha256 } = value;
  if (!isPlace(path)) return undefined;
  if (sha256 === undefined) return { path };
  return isHash(sha256) ? { path, sha256 } : undefined;
}

/** Returns an entry with exactly its keys, in one order. */
function plainEntry({ path, sha256, surface, level, approvedAt, signer, fields, scripts }: TrustEntry): TrustEntry {
  return {
    path,
    sha256,
    surface,
    level,
    approvedAt,
    ...(signer === undefined ? {} : { signer }),
    fields: fields.map(({ path: at, effect, value }) => ({ path: at, effect, value })),
    scripts: scripts.map((script) =>
      script.sha256 === undefined ? { path: script.path } : { path: script.path, sha256: script.sha256 },
    ),
  };
}

function listOf<Item>(value: unknown, read: (item: unknown) => Item | undefined): readonly Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Returns whether a value is a plain path below the workspace. An approved copy is mounted at exactly this path. */
function isPlace(value: unknown): value is string {
  return (
    isText(value) &&
    !value.includes('\0') &&
    value.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}

/** Returns whether a value is a time to the millisecond, in UTC, as `toISOString` writes it. */
function isTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

const effects: Readonly<Record<FieldEffect, true>> = {
  runs: true,
  connects: true,
  redirects: true,
  instructs: true,
  permits: true,
};

function isEffect(value: unknown): value is FieldEffect {
  return typeof value === 'string' && Object.hasOwn(effects, value);
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && sha256Pattern.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
