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
 * What is at the paths that were named, or below them; everything where none was. Throws `HF_USAGE` for one at which
 * nothing lies.
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

/** One file, with what is to be said of it. */
export interface TrustRow extends TrustStatus {
  /** Where a rule of the policy settles it. */
  readonly rule?: {
    readonly says: 'approved' | 'refused';
    readonly name: string;
    readonly file: string;
    readonly line: number;
  };
  /** Whose signature it has, of those that count here; nobody needs to be asked about it. */
  readonly signer?: string;
}

/** Whether boxes have the file as it is. */
export function isApproved({ state, rule }: TrustRow): boolean {
  return rule === undefined ? state === 'approved' : rule.says === 'approved';
}

/**
 * Whether it takes effect only when someone starts something, boxes have it anyway, and nobody said anything about it:
 * `package.json`, say. Git runs hooks and what its configuration names by itself.
 */
export function isAtRest({ state, rule, found }: TrustRow): boolean {
  if (state !== 'new' || rule !== undefined || found?.surface.gate !== 'listed') return false;
  const { kind } = found.surface;
  return kind !== 'hook' && (kind !== 'git' || found.fields.every(({ effect }) => effect !== 'runs'));
}

/**
 * Whether a person may approve it: what nobody could read has no bytes to approve, and a rule that denies stands above.
 */
export function isApprovable({ found, rule }: TrustRow): boolean {
  return found !== undefined && found.sha256 !== '' && rule === undefined;
}
