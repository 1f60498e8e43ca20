import { relative, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { CommandIo } from '../command.ts';

export interface Selecting {
  /** Real path of the workspace. */
  readonly root: string;
  readonly io: Pick<CommandIo, 'cwd'>;
}

/**
 * What lies at the paths that were named, or below them; everything where none was. Throws `HF_USAGE` for one at which
 * nothing lies.
 */
export function selectRows<Row extends { readonly path: string }>(
  rows: readonly Row[],
  named: readonly string[],
  { root, io }: Selecting,
): readonly Row[] {
  if (named.length === 0) return rows;
  const wanted = named.map((path) => ({ path, place: relative(root, resolve(io.cwd, path)) }));
  const nowhere = wanted.find(({ place }) => !rows.some((row) => liesIn(row.path, place)));
  if (nowhere !== undefined)
    throw new HoldfastError('HF_USAGE', `there is nothing at ${JSON.stringify(nowhere.path)} that trust is about`, {
      remedy: 'see `holdfast trust status` for what there is',
    });
  return rows.filter(({ path }) => wanted.some(({ place }) => liesIn(path, place)));
}

function liesIn(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}
