import type { FileOperation, FilePath } from './types.ts';

/** The paths of an operation as an error of `fs` would name them. */
export interface NamedPaths {
  readonly path?: FilePath;
  readonly dest?: FilePath;
}

export function namedPaths(operation: FileOperation): NamedPaths {
  switch (operation.kind) {
    case 'copy':
    case 'rename':
    case 'link':
      return { path: operation.from, dest: operation.to };
    case 'symlink':
      return { path: operation.text, dest: operation.path };
    case 'temporary':
      return { path: templateOf(operation.directory, operation.prefix) };
    case 'readAt':
    case 'writeAt':
    case 'close':
    case 'unwatch':
      return {};
    default:
      return { path: operation.path };
  }
}

/** As `mkdtemp` names what it was to make. */
function templateOf(directory: FilePath, prefix: string): FilePath {
  const tail = `/${prefix}XXXXXX`;
  return typeof directory === 'string' ? `${directory}${tail}` : Buffer.concat([directory, Buffer.from(tail)]);
}

/** A path that an operation needs, and for what. */
export interface TouchedPath {
  readonly path: FilePath;
  readonly operation: 'read' | 'write';
}

/** What the policy has to be asked about when the kernel refused an operation. */
export function touchedPaths(operation: FileOperation): readonly TouchedPath[] {
  switch (operation.kind) {
    case 'read':
    case 'list':
    case 'stat':
    case 'readlink':
    case 'realpath':
    case 'watch':
      return [{ path: operation.path, operation: 'read' }];
    case 'access':
      return [{ path: operation.path, operation: (operation.mode & writable) === 0 ? 'read' : 'write' }];
    case 'copy':
      return [{ path: operation.from, operation: 'read' }, { path: operation.to, operation: 'write' }];
    case 'rename':
    case 'link':
      return [{ path: operation.from, operation: 'write' }, { path: operation.to, operation: 'write' }];
    case 'temporary':
      return [{ path: templateOf(operation.directory, operation.prefix), operation: 'write' }];
    case 'open':
      return [{ path: operation.path, operation: (operation.flags & accessModes) === 0 ? 'read' : 'write' }];
    case 'readAt':
    case 'writeAt':
    case 'close':
    case 'unwatch':
      return [];
    default:
      return [{ path: operation.path, operation: 'write' }];
  }
}

/** `W_OK`. */
const writable = 2;
/** `O_ACCMODE`. */
const accessModes = 3;
