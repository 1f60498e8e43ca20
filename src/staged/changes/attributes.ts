import { attributesOf, isKernelError } from '../../kernel/index.ts';

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

/** Names of attributes that a box can set and that belong to the entry: not the overlay's own, not the host's labels. */
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
  return (name.startsWith('user.') && !name.startsWith('user.overlay.')) || name.startsWith('system.posix_acl_') || name === 'security.capability';
}
