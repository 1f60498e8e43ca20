import { closeSync } from 'node:fs';
import { isKernelError, oPath, openAt, resolve } from '../../kernel/index.ts';
import type { FileAccess } from '../../policy/request.ts';
import type { StagedChange } from '../types.ts';
import { entryPath, type DirectoryDescriptor } from './place.ts';

/** One name that accepting would touch. A rename asks twice: a deletion where it was, a creation where it is. */
export interface JudgedName {
  /** Absolute path on the host. Bytes that are no UTF-8 stand as U+FFFD. */
  readonly path: string;
  readonly operation: Extract<FileAccess, 'write' | 'create' | 'delete'>;
  /** Calls back with a path that leads to the staged entry through open directories. Undefined for a deletion. */
  readonly staged?: <T>(use: (entry: Buffer) => T) => T | undefined;
}

/** Says why accepting is refused; undefined when it is not. */
export type Judge = (name: JudgedName) => StagedChange['refusal'];

/** The first refusal of what a change does. `staged` is the upper directory of its root. */
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

/** A box that still runs may put a symlink in the place of a directory on the way. */
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
