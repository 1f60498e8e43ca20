import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hiddenFileNames } from '../../src/policy/builtin/hidden.ts';
import { protectedNames } from '../../src/policy/builtin/protected.ts';
import type { BuiltinName } from '../../src/policy/builtin/builtin-name.ts';
import { guardedLength } from '../../src/policy/patterns/guarded-length.ts';
import { discover } from '../../src/trust/discover/discover.ts';
import { secretsIn } from './secrets-in.ts';

/** Holdfast's handling of one file of a repository without any approval. */
export interface Alarm {
  readonly kind: 'withheld' | 'listed' | 'protected' | 'hidden';
  /** The row of the table behind the alarm. */
  readonly row: string;
  readonly path: string;
}

/** All files of a directory that match a trust surface, a protected name or a hidden name. */
export async function alarmsOf(root: string): Promise<readonly Alarm[]> {
  const { files } = await discover(root);
  const trust = files.map(({ path, surface }): Alarm => {
    return { kind: surface.gate === 'hidden' ? 'withheld' : 'listed', row: surface.name, path };
  });
  const secrets = (await secretsIn(root)).map((path): Alarm => ({ kind: 'hidden', row: 'secret', path }));
  return [...trust, ...secrets, ...filesIn(root).flatMap(builtinAlarms)];
}

function builtinAlarms(path: string): readonly Alarm[] {
  return [
    ...namedBy(hiddenFileNames, path).map((row): Alarm => ({ kind: 'hidden', row, path })),
    ...namedBy(protectedNames, path).map((row): Alarm => ({ kind: 'protected', row, path })),
  ];
}

/** The first name that matches the file: one file is one alarm of its kind. */
function namedBy(names: readonly BuiltinName[], path: string): readonly string[] {
  const components = path.split('/');
  const name = names.find((candidate) => guardedLength(components, candidate) !== undefined);
  return name === undefined ? [] : [name.components.join('/')];
}

/** Relative paths of the regular files, without git's own directory. */
export function filesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.git/'));
}
