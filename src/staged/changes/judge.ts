import { closeSync } from 'node:fs';
import { isKernelError, oPath, openAt, resolve } from '../../kernel/index.ts';
import type { FileAccess } from '../../policy/request.ts';
import type { StagedChange } from '../types.ts';
import { entryPath, type DirectoryDescriptor } from './place.ts';

/**
 * A name that an accept would touch. A rename asks twice: about a deletion at the old name, and a creation at the new
 * one.
 */
export interface JudgedName {
  /** Absolute path on the host. Bytes that are not UTF-8 become U+FFFD. */
  readonly path: string;
  readonly operation: Extract<FileAccess, 'write' | 'create' | 'delete'>;
  /** Calls back with a path that leads to the staged entry through open directories. Undefined for a deletion. */
  readonly staged?: <T>(use: (entry: Buffer) => T) => T | undefined;
}

/** Returns why an accept is refused, or undefined. */
export type Judge = (name: JudgedName) => StagedChange['refusal'];

/** Returns the first refusal of a change. `staged` is the upper directory of its root. */
export function changeRefusal(
  change: StagedChange,
  { judge, staged }: { readonly judge: Judge; readonly staged: DirectoryDescriptor },
): StagedChange['refusal'] {
  const { root, path, from = path } = change;
  const through = <T>(use: (entry: Buffer) => T): T | undefined => throughParent(staged, path, use);
  for (const operation of operations[change.kind]) {
    const refusal = judge({
      path: hostPath(root.root, operation === 'delete' ? from : path),
      operation,
      ...(operation === 'delete' ? {} : { staged: through }),
    });
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const operations: Readonly<Record<StagedChange['kind'], readonly JudgedName['operation'][]>> = {
  added: ['create'],
  modified: ['write'],
  metadata: ['write'],
  deleted: ['delete'],
  renamed: ['delete', 'create'],
  'type-changed': ['delete', 'create'],
};

function hostPath(root: string, path: Buffer): string {
  return `${root === '/' ? '' : root}/${path.toString('utf8')}`;
}

/** A running box may replace a directory on the way with a symlink. */
function throughParent<T>(root: DirectoryDescriptor, path: Buffer, use: (entry: Buffer) => T): T | undefined {
  const cut = path.lastIndexOf(slash);
  try {
    const parent = openAt(root, cut < 0 ? '.' : path.subarray(0, cut), {
      flags: oPath,
      resolve: resolve.beneath | resolve.noSymlinks,
    });
    try {
      return use(entryPath(parent, path.subarray(cut + 1)));
    } finally {
      closeSync(parent);
    }
  } catch (error) {
    if (isKernelError(error) || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const slash = 0x2f;
