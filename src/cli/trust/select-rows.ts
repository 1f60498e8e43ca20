import { relative, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { TrustStatus } from '../../trust/types.ts';
import type { CommandIo } from '../command.ts';

export interface Selecting {
  /** Real path of the workspace. */
  readonly root: string;
  readonly io: Pick<CommandIo, 'cwd'>;
}

/**
 * Returns the rows at or below the named paths. Without paths, returns all. Throws `HF_USAGE` for a path without rows.
 */
export function selectNamed<Row extends { readonly path: string }>(
  rows: readonly Row[],
  named: readonly string[],
  { root, io }: Selecting,
): readonly Row[] {
  if (named.length === 0) return rows;
  const wanted = named.map((path) => ({ path, place: relative(root, resolve(io.cwd, path)) }));
  const nowhere = wanted.find(({ place }) => !rows.some((row) => liesIn(row.path, place)));
  if (nowhere !== undefined)
    throw new HoldfastError('HF_USAGE', `there is nothing at ${JSON.stringify(nowhere.path)} that needs approval`, {
      remedy: 'run `holdfast trust status` to see the files that do',
    });
  return rows.filter(({ path }) => wanted.some(({ place }) => liesIn(path, place)));
}

function liesIn(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}

/** One file, with its state. */
export interface TrustRow extends TrustStatus {
  /** Set if a rule of the policy decides. */
  readonly rule?: {
    readonly says: 'approved' | 'refused';
    readonly name: string;
    readonly file: string;
    readonly line: number;
  };
  /** Name of the trusted signer, so that nobody needs to be asked. */
  readonly signer?: string;
}

/** Returns whether boxes get the file in its current form. */
export function isApproved({ state, rule }: TrustRow): boolean {
  return rule === undefined ? state === 'approved' : rule.says === 'approved';
}

/**
 * Returns whether a file can wait without an approval, such as `package.json`. It takes effect only when someone starts
 * something, boxes get it anyway, and nobody has decided about it. Git runs hooks and programs of its configuration by
 * itself, so they cannot wait.
 */
export function isAtRest({ state, rule, found }: TrustRow): boolean {
  if (state !== 'new' || rule !== undefined || found?.surface.gate !== 'listed') return false;
  const { kind } = found.surface;
  return kind !== 'hook' && (kind !== 'git' || found.fields.every(({ effect }) => effect !== 'runs'));
}

/** Returns whether a person may approve it. An unreadable file has no bytes to approve, and a deny rule wins. */
export function isApprovable({ found, rule }: TrustRow): boolean {
  return found !== undefined && found.sha256 !== '' && rule === undefined;
}
