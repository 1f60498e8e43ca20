import { getSystemErrorMap } from 'node:util';
import type { FileOperation, FilePath, FileResult } from './types.ts';

/** The paths of an operation, as an error of `fs` names them. */
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

/** Returns the path as `mkdtemp` reports it. */
function templateOf(directory: FilePath, prefix: string): FilePath {
  const tail = `/${prefix}XXXXXX`;
  return typeof directory === 'string' ? `${directory}${tail}` : Buffer.concat([directory, Buffer.from(tail)]);
}

/** A path of an operation, and its use in the policy's terms. */
export interface TouchedPath {
  readonly path: FilePath;
  readonly operation: 'read' | 'write' | 'create' | 'delete';
}

/** Returns the paths to ask the policy about after the kernel refused an operation. */
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

/** A refused operation, as `node:fs` reports it: same `code`, `errno`, `syscall`, paths and message. */
export interface FileError extends Error {
  /** `ENOENT`, `EROFS` … */
  code: string;
  /** Negative, as in `node:fs`. */
  errno: number;
  syscall: string;
  path?: string;
  dest?: string;
  /** Set if the policy refused. */
  refusal?: FileRefusal;
  /** The remedy for the refusal. */
  remedy?: string;
}

/** The policy's answer about an unusable path. */
export interface FileRefusal {
  readonly request: {
    readonly kind: 'file';
    readonly operation: 'read' | 'write' | 'create' | 'delete' | 'execute';
    readonly path: string;
  };
  readonly verdict: {
    readonly decision: string;
    readonly code: string;
    readonly rule: string;
    readonly layer: string;
    readonly file: string;
    readonly line: number;
    readonly message: string;
    readonly remedy: string;
  };
}

/** System calls on a descriptor. `fs` reports no path for them. */
const pathless: ReadonlySet<string> = new Set([
  'read',
  'write',
  'close',
  'fsync',
  'fdatasync',
  'fstat',
  'ftruncate',
  'fchmod',
  'fchown',
  'futime',
]);

export function fileError(
  operation: FileOperation,
  { errno, syscall, path: where }: Extract<FileResult, { kind: 'failed' }>,
): FileError {
  const { path, dest } = pathless.has(syscall) ? {} : placesOf(operation, where);
  const [code, text] = getSystemErrorMap().get(-errno) ?? [
    `Unknown system error ${-errno}`,
    `Unknown system error ${-errno}`,
  ];
  const places = path === undefined ? '' : dest === undefined ? ` '${path}'` : ` '${path}' -> '${dest}'`;
  const error = new Error(`${code}: ${text}, ${syscall}${places}`);
  return Object.assign(error, {
    errno: -errno,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest }),
  });
}

/** Returns the paths of a failure within a tree. */
function placesOf(operation: FileOperation, where: Uint8Array): { readonly path?: string; readonly dest?: string } {
  if (where.length > 0) return { path: textOf(where) };
  const { path, dest } = namedPaths(operation);
  return {
    ...(path === undefined ? {} : { path: textOf(path) }),
    ...(dest === undefined ? {} : { dest: textOf(dest) }),
  };
}

function textOf(path: FilePath): string {
  return typeof path === 'string' ? path : Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString();
}

/** Returns the error that `fs` throws for a path with a null byte. */
export function nullByteError(path: FilePath): TypeError {
  const shown = typeof path === 'string' ? `'${path.replaceAll('\0', String.raw`\x00`)}'` : 'bytes with a null byte';
  return Object.assign(
    new TypeError(`The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received ${shown}`),
    { code: 'ERR_INVALID_ARG_VALUE' },
  );
}

/** Error codes of refusals by a box. */
export const refusingCodes: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'EXDEV', 'EBUSY', 'ENOENT']);
