import { kernelCall } from './kernel-call.ts';
import { isKernelError } from './kernel-error.ts';
import { terminated } from './open-at.ts';

/** The extended attributes of a path itself, never of what a symlink leads to. Empty where the file system has none. */
export function attributesOf(path: string | Uint8Array): ReadonlyMap<string, Buffer> {
  const names = sized((buffer) => kernelCall('llistxattr', terminated(path), buffer, buffer.length));
  const found = new Map<string, Buffer>();
  for (const name of names.toString('latin1').split('\0')) {
    if (name === '') continue;
    const value = sized((buffer) => kernelCall('lgetxattr', terminated(path), latin(name), buffer, buffer.length));
    found.set(name, value);
  }
  return found;
}

/** `lsetxattr(2)`. Throws `KernelError`. */
export function setAttribute(path: string | Uint8Array, name: string, value: Uint8Array): void {
  kernelCall('lsetxattr', terminated(path), latin(name), value, value.length, 0);
}

/** `lremovexattr(2)`. Throws `KernelError`, `ENODATA` when there is none. */
export function removeAttribute(path: string | Uint8Array, name: string): void {
  kernelCall('lremovexattr', terminated(path), latin(name));
}

/** 64 KiB is the most that the kernel keeps in one attribute or one list (`XATTR_SIZE_MAX`, `XATTR_LIST_MAX`). */
const largest = 65_536;

function sized(read: (buffer: Buffer) => number): Buffer {
  for (const size of [256, largest]) {
    const buffer = Buffer.alloc(size);
    try {
      return buffer.subarray(0, read(buffer));
    } catch (error) {
      if (isKernelError(error, 'ERANGE') && size < largest) continue;
      if (isKernelError(error, 'ENOTSUP') || isKernelError(error, 'ENODATA')) return Buffer.alloc(0);
      throw error;
    }
  }
  return Buffer.alloc(0);
}

function latin(name: string): Uint8Array {
  return Buffer.from(`${name}\0`, 'latin1');
}
