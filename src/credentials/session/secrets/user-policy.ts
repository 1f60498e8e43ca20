import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { parse, type TomlTable } from 'smol-toml';
import { withLock } from '../../../audit/lock.ts';
import { HoldfastError, isHoldfastError } from '../../../errors/index.ts';
import type { Place } from '../../../place/place.ts';
import { policyOfPlace } from '../../../place/planner.ts';
import { type PolicyText, readPolicyText } from '../../../place/policy-texts.ts';
import type { CredentialTable } from '../../../policy/credentials/schema.ts';
import { scanLines } from '../../../policy/document/lines.ts';
import type { Policy } from '../../../policy/policy.ts';
// Not imported through the index, because other rooms must not write policies.
import { tomlText } from '../../../policy/words/toml-text.ts';

/** Throws with every problem that the new credential would cause in the user's policy. Writes nothing. */
export function checkWith(place: Place, table: CredentialTable): void {
  const { userPolicy } = place.paths;
  policyWith(place, withTable(userPolicyText(userPolicy), tableText(table)));
}

/** Adds a table to the user's policy if the result is valid. */
export function addTable(place: Place, table: CredentialTable): void {
  edit(place, (text) => withTable(text, tableText(table)));
}

/**
 * Removes a table from the user's policy and returns it. The rest of the policy may be invalid, because a user may
 * remove a table to repair it.
 */
export function removeTable(place: Place, name: string): TomlTable {
  return withUserPolicy(place, (file) => {
    const text = userPolicyText(file);
    const document = documentOf(text);
    if (document === undefined)
      throw new HoldfastError('HF_POLICY_INVALID', `${file} is not valid TOML`, {
        remedy: 'see `holdfast policy check`',
      });
    const tables = tablesOf(document);
    const index = tables.findIndex((table) => table['name'] === name);
    const table = tables[index];
    if (table === undefined)
      throw new HoldfastError('HF_USAGE', `${file} has no credential "${name}"`, {
        remedy: 'see `holdfast secrets list`; only those of your own policy can be removed',
      });
    const rest = withoutTable(text, index);
    if (rest === undefined || !isWithout(rest, document, index))
      throw new HoldfastError('HF_USAGE', `the credential "${name}" is not written as a table on separate lines`, {
        remedy: `remove it from ${file} by hand`,
      });
    replaceFile(file, rest);
    return table;
  });
}

function edit(place: Place, change: (text: string) => string): void {
  withUserPolicy(place, (file) => {
    const text = change(userPolicyText(file));
    policyWith(place, text);
    replaceFile(file, text);
  });
}

/** Changes the user's policy file under a lock, so that no change overwrites another. Throws `HF_STATE_UNWRITABLE`. */
export function withUserPolicy<Result>({ paths: { userPolicy } }: Place, work: (file: string) => Result): Result {
  try {
    mkdirSync(dirname(userPolicy), { recursive: true, mode: 0o700 });
    return withLock(`${userPolicy}.lock`, () => work(userPolicy));
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError(
      'HF_STATE_UNWRITABLE',
      `${userPolicy} cannot be written: ${(cause as NodeJS.ErrnoException).code ?? 'another process holds it'}`,
      { remedy: 'make it and its directory writable', cause },
    );
  }
}

/** Empty if there is no file. */
export function userPolicyText(file: string): string {
  return readPolicyText('user', file)?.text ?? '';
}

/**
 * Policy of the user and the administrator. A project's policy only narrows it, and credentials are for all projects.
 */
function policyWith(place: Place, text: string): Policy {
  const user: PolicyText = { kind: 'user', file: place.paths.userPolicy, text };
  const sources = [...place.sources.filter(({ kind }) => kind === 'managed'), user];
  try {
    return policyOfPlace({ ...place, sources });
  } catch (cause) {
    if (!isHoldfastError(cause) || !cause.code.startsWith('HF_POLICY')) throw cause;
    throw new HoldfastError(
      cause.code,
      `nothing was written, because your policy would not be valid:\n${cause.message}`,
      {
        remedy: 'correct your policy or this command first',
        cause,
        details: cause.details,
      },
    );
  }
}

/** Undefined if the text is not TOML. Does not check that it is a policy. */
function documentOf(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function tablesOf({ credentials }: TomlTable): readonly TomlTable[] {
  return Array.isArray(credentials)
    ? credentials.filter((table): table is TomlTable => typeof table === 'object' && !Array.isArray(table))
    : [];
}

/** Checks that the removed text is exactly this table, in any layout of its lines. */
function isWithout(text: string, document: TomlTable, index: number): boolean {
  const tables = tablesOf(document).toSpliced(index, 1);
  return (
    JSON.stringify(documentOf(text)) ===
    JSON.stringify({ ...document, credentials: tables.length === 0 ? undefined : tables })
  );
}

/** Returns the policy with one more table at its end. */
export function withTable(policy: string, table: string): string {
  if (policy.trim() === '') return `version = 1\n\n${table}`;
  return `${policy}${policy.endsWith('\n') ? '' : '\n'}\n${table}`;
}

/**
 * Returns the policy without table number `index` of `[[credentials]]`. All other lines stay unchanged, including
 * comments before and after it. Undefined if the table does not have contiguous lines to itself.
 */
export function withoutTable(policy: string, index: number): string | undefined {
  const lines = policy.split('\n');
  const places = scanLines(policy);
  const own = `credentials[${index}]`;
  const start = places.get(own);
  if (
    start === undefined ||
    !/^\s*\[\[\s*(?:credentials|"credentials"|'credentials')\s*\]\]/u.test(lines[start - 1] ?? '')
  )
    return undefined;
  const ofOthers = [...places].flatMap(([place, line]) =>
    line > start && place !== own && !place.startsWith(`${own}.`) ? [line] : [],
  );
  const next = Math.min(lines.length + 1, ...ofOthers);
  const end = lastOf(lines, start, next);
  const [before, after] = [lines.slice(0, start - 1), lines.slice(end)];
  // Also removes the blank line between the table and the text before it.
  if (before.at(-1)?.trim() === '' && (after[0] ?? '').trim() === '') before.pop();
  return [...before, ...after].join('\n');
}

/**
 * Returns the number of lines up to the last line of a table. The next table begins in line `next`. Comments below a
 * table do not belong to it.
 */
function lastOf(lines: readonly string[], start: number, next: number): number {
  let end = next - 1;
  while (end > start && /^\s*(?:#.*)?$/u.test(lines[end - 1] ?? '')) end -= 1;
  return end;
}

/**
 * Replaces the content of a file atomically: readers see the old text or the new one. Keeps its mode, and keeps a
 * symlink that leads to it. A new file is readable by its owner alone.
 */
export function replaceFile(path: string, text: string): void {
  const real = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(real) ? statSync(real).mode & 0o7777 : 0o600;
  const fresh = `${real}.${process.pid}.new`;
  try {
    write(fresh, text);
    chmodSync(fresh, mode);
    renameSync(fresh, real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Returns the table as TOML, with the keys in the order of the manual, and a final line break. */
export function tableText(table: CredentialTable): string {
  const lines = keys.flatMap((key) => (table[key] === undefined ? [] : [`${key} = ${valueText(table[key])}`]));
  return `[[credentials]]\n${lines.join('\n')}\n`;
}

const keys: readonly (keyof CredentialTable)[] = [
  'name',
  'provider',
  'source',
  'hosts',
  'methods',
  'paths',
  'inject',
  'environment',
  'files',
  'base_urls',
  'use',
  'transport',
  'shape',
];

function valueText(value: unknown): string {
  if (typeof value === 'string') return tomlText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${valueText(each)}`)
    .join(', ')} }`;
}
