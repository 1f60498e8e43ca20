import { relative, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { sha256Pattern } from '../../trust/store/layout.ts';
import type { FoundFile } from '../../trust/types.ts';
import { type CommandInput, optionText, optionTexts } from '../command.ts';
import { readNamedFile } from './read-named-file.ts';

/** Hashes by path below the root, for files that someone has inspected who approves without a question. */
export type SeenHashes = ReadonlyMap<string, string>;

/**
 * Returns the hashes of `--sha256 PATH=HASH` and `--from FILE`. Undefined without either. The file is output of `trust
 * list --json`, `trust status --json` or a program: `files` or `entries` with `path`, `sha256` and `scripts`.
 */
export function seenHashes({ values, io }: CommandInput, root: string): SeenHashes | undefined {
  const file = optionText(values['from']);
  const written = optionTexts(values['sha256']);
  if (file === undefined && written.length === 0) return undefined;
  const named = written.map((each): readonly [string, string] => {
    const { path, hash } = /^(?<path>.+)=(?<hash>[0-9a-f]{64})$/su.exec(each)?.groups ?? {};
    if (path === undefined || hash === undefined)
      throw new HoldfastError('HF_USAGE', `expected PATH=HASH after --sha256, got ${JSON.stringify(each)}`, {
        remedy: 'copy the hash from `holdfast trust status --json`: 64 lower-case hexadecimal digits',
      });
    return [relative(root, resolve(io.cwd, path)), hash];
  });
  return new Map([...(file === undefined ? [] : listed(resolve(io.cwd, file))), ...named]);
}

/**
 * Throws `HF_TRUST_REFUSED` for files that have changed since, or that nobody has seen. Names all of them, one line
 * each.
 */
export function checkSeen(files: readonly FoundFile[], seen: SeenHashes): void {
  const wrong = files
    .flatMap(({ path, sha256, scripts }) => [{ path, sha256 }, ...scripts])
    .flatMap(({ path, sha256 }) => {
      if (sha256 === undefined || seen.get(path) === sha256) return [];
      return [
        `${JSON.stringify(path)} ${seen.has(path) ? 'has changed since it was seen' : 'was not seen'}: its SHA-256 is ${sha256}`,
      ];
    });
  if (wrong.length > 0)
    throw new HoldfastError('HF_TRUST_REFUSED', `nothing was approved:\n${[...new Set(wrong)].join('\n')}`, {
      remedy: 'review the files with `holdfast trust diff`, then give their current hashes',
    });
}

function listed(file: string): readonly (readonly [string, string])[] {
  const value = valueOf(file);
  const rows = isObject(value) ? (value['files'] ?? value['entries']) : undefined;
  if (!Array.isArray(rows)) throw unusable(file, 'it has no list called files or entries');
  return rows.flatMap((row: unknown): readonly (readonly [string, string])[] => {
    // A link that leads nowhere. Nobody could read it, so nobody can approve it.
    if (isObject(row) && row['sha256'] === '') return [];
    const scripts = isObject(row) ? (row['scripts'] ?? []) : undefined;
    if (!isObject(row) || !isHashed(row) || !Array.isArray(scripts))
      throw unusable(file, 'a row of it is not a path with a hash');
    return [
      [row.path, row.sha256],
      ...scripts.filter(isHashed).map(({ path, sha256 }): readonly [string, string] => [path, sha256]),
    ];
  });
}

function valueOf(file: string): unknown {
  try {
    return JSON.parse(readNamedFile(file));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw unusable(file, 'it is not JSON');
    throw cause;
  }
}

function isHashed(value: unknown): value is { readonly path: string; readonly sha256: string } {
  return (
    isObject(value) &&
    typeof value['path'] === 'string' &&
    typeof value['sha256'] === 'string' &&
    sha256Pattern.test(value['sha256'])
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(file: string, why: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `${file} cannot be used: ${why}`, {
    remedy: 'name a file with the output of `holdfast trust list --json` or `holdfast trust status --json`',
  });
}
