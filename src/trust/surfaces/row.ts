import type { ClientName, FieldEffect, FieldPattern, FileFormat, Surface, SurfaceKind } from '../types.ts';

/** What the rows of one family share; each row may say otherwise. */
export interface Family {
  readonly clients: readonly ClientName[];
  readonly source: string;
  readonly gate: Surface['gate'];
}

export interface Row extends Partial<Family>, Pick<Surface, 'secrets' | 'counts' | 'writable'> {
  /** `.claude/settings.json`; `/**` at the end for a whole tree. */
  readonly path: string;
  readonly kind: SurfaceKind;
  /** Default: `source`. */
  readonly format?: FileFormat;
  /** Default: none, so that the whole file is one. */
  readonly fields?: readonly FieldPattern[];
}

/** Rows by their names. */
export function family(shared: Family, rows: Readonly<Record<string, Row>>): readonly Surface[] {
  return Object.entries(rows).map(([name, { path, format = 'source', fields = [], clients = shared.clients, source = shared.source, gate = shared.gate, ...row }]) => ({ ...row, name, components: path.split('/'), clients, format, gate, fields, source }));
}

/** A command, of which words may be files of the repository. */
export const command = (...paths: readonly string[]): readonly FieldPattern[] => paths.map((path) => ({ path, effect: 'runs', names: 'script' }));
export const runs = (...paths: readonly string[]): readonly FieldPattern[] => effect('runs', paths);
export const connects = (...paths: readonly string[]): readonly FieldPattern[] => effect('connects', paths);
export const redirects = (...paths: readonly string[]): readonly FieldPattern[] => effect('redirects', paths);
export const instructs = (...paths: readonly string[]): readonly FieldPattern[] => effect('instructs', paths);
export const permits = (...paths: readonly string[]): readonly FieldPattern[] => effect('permits', paths);

function effect(kind: FieldEffect, paths: readonly string[]): readonly FieldPattern[] {
  return paths.map((path) => ({ path, effect: kind }));
}
