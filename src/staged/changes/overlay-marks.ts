import type { BigIntStats } from 'node:fs';
import type { Attributes } from './attributes.ts';

/**
 * How an overlay that is mounted with `userxattr` writes down in its upper directory what became of the lower one
 * (Documentation/filesystems/overlayfs.rst of Linux, "whiteouts and opaque directories").
 */

/** The name is deleted: a character device 0:0, or an empty file with an attribute where devices cannot be made. */
export function isWhiteout(stats: BigIntStats, attributes: Attributes): boolean {
  if (stats.isCharacterDevice()) return stats.rdev === 0n;
  return stats.isFile() && stats.size === 0n && has(attributes, 'user.overlay.whiteout');
}

/** Nothing of the lower directory shows through. The value `x` only says that whiteouts of the second kind may lie in it. */
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
