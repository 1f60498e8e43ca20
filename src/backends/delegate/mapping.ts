/** Where a path of the host lies in a guest, or the other way round. */
export type Mapped = { readonly kind: 'mapped'; readonly path: string; readonly access: 'writable' | 'read-only' } | { readonly kind: 'unmapped'; readonly reason: string };

export function unmapped(reason: string): Mapped {
  return { kind: 'unmapped', reason };
}

/** An absolute path of POSIX without `.`, `..`, doubled or trailing slashes, and without NUL: the only spelling that is mapped. */
export function isPlainPath(path: string): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/') || path.includes('\0')) return false;
  return path.slice(1).split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** What is left of a path below a directory, beginning with a slash; empty for the directory itself. */
export function below(directory: string, path: string): string | undefined {
  if (directory === '/') return path === '/' ? '' : path;
  if (path === directory) return '';
  return path.startsWith(`${directory}/`) ? path.slice(directory.length) : undefined;
}
