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

/** A path that an operation needs, and for what; in the words of a policy. */
export interface TouchedPath {
  readonly path: FilePath;
  readonly operation: 'read' | 'write' | 'create' | 'delete';
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
      return touched(operation.path, 'read');
    case 'access':
      return touched(operation.path, (operation.mode & writable) === 0 ? 'read' : 'write');
    case 'open':
      return (operation.flags & accessModes) === 0
        ? touched(operation.path, 'read')
        : touched(operation.path, 'write', 'create');
    case 'write':
      return touched(operation.path, 'write', 'create');
    case 'makeDirectory':
    case 'symlink':
      return touched(operation.path, 'create');
    case 'temporary':
      return touched(templateOf(operation.directory, operation.prefix), 'create');
    case 'remove':
      return touched(operation.path, 'delete');
    case 'copy':
      return [...touched(operation.from, 'read'), ...touched(operation.to, 'write', 'create')];
    case 'link':
      return [...touched(operation.from, 'write'), ...touched(operation.to, 'create')];
    case 'rename':
      return [...touched(operation.from, 'delete'), ...touched(operation.to, 'create', 'write')];
    case 'truncate':
    case 'times':
    case 'owner':
    case 'mode':
      return touched(operation.path, 'write');
    case 'readAt':
    case 'writeAt':
    case 'close':
    case 'unwatch':
      return [];
  }
}

function touched(path: FilePath, ...operations: readonly TouchedPath['operation'][]): readonly TouchedPath[] {
  return operations.map((operation) => ({ path, operation }));
}

/** `W_OK`. */
const writable = 2;
/** `O_ACCMODE`. */
const accessModes = 3;
