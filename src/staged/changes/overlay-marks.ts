import type { BigIntStats } from 'node:fs';
import { attributesOf, isKernelError } from '../../kernel/index.ts';

/**
 * Marks that an overlay with `userxattr` leaves in its upper directory for changes of the lower one
 * (Documentation/filesystems/overlayfs.rst of Linux, "whiteouts and opaque directories").
 */

/** The name is deleted: a character device 0:0, or an empty file with an attribute where devices cannot be made. */
export function isWhiteout(stats: BigIntStats, attributes: Attributes): boolean {
  if (stats.isCharacterDevice()) return stats.rdev === 0n;
  return stats.isFile() && stats.size === 0n && has(attributes, 'user.overlay.whiteout');
}

/**
 * Nothing of the lower directory shows through. The value `x` only says that whiteouts of the second kind may lie in
 * it.
 */
export function isOpaque(attributes: Attributes): boolean {
  return attributes !== 'unreadable' && attributes.get('user.overlay.opaque')?.toString('latin1') === 'y';
}

/** The overlay copied it up from the host, as opposed to made it. Files with several links are not marked. */
export function isCopiedUp(attributes: Attributes): boolean {
  return has(attributes, 'user.overlay.origin');
}

function has(attributes: Attributes, name: string): boolean {
  return attributes !== 'unreadable' && attributes.has(name);
}

/** Extended attributes of one entry, or what stands for them when they may not be read. */
export type Attributes = ReadonlyMap<string, Buffer> | 'unreadable';

export function readAttributes(path: Buffer): Attributes {
  try {
    return attributesOf(path);
  } catch (error) {
    if (isKernelError(error, 'EACCES') || isKernelError(error, 'EPERM')) return 'unreadable';
    // Gone meanwhile, or taken away between the list and the value: what is left is compared again by who applies.
    if (isKernelError(error, 'ENOENT')) return new Map();
    throw error;
  }
}

/**
 * Names of attributes that a box can set and that belong to the entry: not the overlay's own, not the host's labels.
 */
function ownAttributeNames(attributes: Attributes): readonly string[] {
  return attributes === 'unreadable' ? [] : [...attributes.keys()].filter(isOwn).toSorted();
}

/** What cannot be read counts as different: better shown once too often than accepted unseen. */
export function sameAttributes(a: Attributes, b: Attributes): boolean {
  if (a === 'unreadable' || b === 'unreadable') return false;
  const names = ownAttributeNames(a);
  if (names.length !== ownAttributeNames(b).length) return false;
  return names.every((name) => b.get(name)?.equals(a.get(name) ?? Buffer.alloc(0)) === true);
}

function isOwn(name: string): boolean {
  return (
    (name.startsWith('user.') && !name.startsWith('user.overlay.')) ||
    name.startsWith('system.posix_acl_') ||
    name === 'security.capability'
  );
}
