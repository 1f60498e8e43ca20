import type { BigIntStats } from 'node:fs';
import { attributesOf, isKernelError } from '../../kernel/index.ts';

/**
 * Marks that an overlay with `userxattr` leaves in its upper directory for changes of the lower one
 * (Documentation/filesystems/overlayfs.rst of Linux, "whiteouts and opaque directories").
 */

/**
 * Returns whether a name is deleted: a character device 0:0, or an empty file with an attribute if devices cannot be
 * made.
 */
export function isWhiteout(stats: BigIntStats, attributes: Attributes): boolean {
  if (stats.isCharacterDevice()) return stats.rdev === 0n;
  return stats.isFile() && stats.size === 0n && has(attributes, 'user.overlay.whiteout');
}

/**
 * Returns whether the directory hides the lower one completely. The value `x` only says that it may hold whiteouts of
 * the second kind.
 */
export function isOpaque(attributes: Attributes): boolean {
  return attributes !== 'unreadable' && attributes.get('user.overlay.opaque')?.toString('latin1') === 'y';
}

/**
 * Returns whether the overlay copied the entry up from the host, rather than made it. Files with several links have no
 * such mark.
 */
export function isCopiedUp(attributes: Attributes): boolean {
  return has(attributes, 'user.overlay.origin');
}

function has(attributes: Attributes, name: string): boolean {
  return attributes !== 'unreadable' && attributes.has(name);
}

/** Extended attributes of one entry, or `unreadable`. */
export type Attributes = ReadonlyMap<string, Buffer> | 'unreadable';

export function readAttributes(path: Buffer): Attributes {
  try {
    return attributesOf(path);
  } catch (error) {
    if (isKernelError(error, 'EACCES') || isKernelError(error, 'EPERM')) return 'unreadable';
    // The entry is gone, or the attribute was removed between the list and the value. An accept compares again.
    if (isKernelError(error, 'ENOENT')) return new Map();
    throw error;
  }
}

/**
 * Returns the attributes that a box can set and that belong to the entry: not the overlay's own, and not the host's
 * labels.
 */
function ownAttributeNames(attributes: Attributes): readonly string[] {
  return attributes === 'unreadable' ? [] : [...attributes.keys()].filter(isOwn).toSorted();
}

/** Unreadable attributes count as different: better shown once too often than accepted unseen. */
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
