export type CpioEntry =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly bytes: Uint8Array }
  /** A character device: major and minor number. */
  | { readonly kind: 'device'; readonly path: string; readonly mode: number; readonly device: readonly [number, number] };

/**
 * An archive in the format `newc` that the kernel unpacks at its start, sorted by path, with everything owned by root and all times zero:
 * the same entries give the same bytes. Paths are relative and ASCII, modes have permission bits only.
 */
export function writeCpio(entries: readonly CpioEntry[]): Buffer {
  const sorted = entries.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const parts = sorted.flatMap((entry, index) => member(entry, index + 1));
  const end = member({ kind: 'file', path: 'TRAILER!!!', mode: 0, bytes: new Uint8Array() }, 0);
  return padded(Buffer.concat([...parts, ...end]), 512);
}

const types = { directory: 0o040000, file: 0o100000, device: 0o020000 } as const;

function member(entry: CpioEntry, inode: number): readonly Buffer[] {
  const bytes = entry.kind === 'file' ? entry.bytes : new Uint8Array();
  const device = entry.kind === 'device' ? entry.device : ([0, 0] as const);
  const name = `${entry.path}\0`;
  const mode = inode === 0 ? 0 : types[entry.kind] | entry.mode;
  const numbers = [inode, mode, 0, 0, entry.kind === 'directory' ? 2 : 1, 0, bytes.length, 0, 0, ...device, name.length, 0];
  const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${name}`;
  return [padded(Buffer.from(header, 'latin1'), 4), padded(Buffer.from(bytes), 4)];
}

function padded(bytes: Buffer, multiple: number): Buffer {
  const missing = (multiple - (bytes.length % multiple)) % multiple;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}
