/**
 * Linux system calls that Node has no function for: extended attributes, `openat2`, `renameat2`, reflinks, process
 * descriptors, ioctls. They run in the supervisor, outside the box, with the user's own rights. Callers are responsible
 * for the paths. Loading the foreign-function library takes 5 ms, so only rooms that need it import this index.
 * `visited-places.ts` does not need the library: import it directly.
 *
 * The room knows no policy and no paths of Holdfast.
 */
export {
  kernelCall,
  pointer,
  rawKernel,
  type Argument,
  type RawKernel,
  syscallNumber,
  type SyscallName,
} from './kernel-call.ts';
export { KernelError, isKernelError } from './kernel-error.ts';
export { atFdcwd, oPath, openAt, resolve, terminated } from './open-at.ts';
export { exchangeNames, linkAt, noReplace, renameAt, type NameAt } from './open-at.ts';
export { withDirectoryLock } from './directory-lock.ts';
export { below, inParent, openDirectory, withDirectory } from './tree/copy-tree.ts';
export {
  applyMetadata,
  attributesOf,
  changeMode,
  type EntryMetadata,
  metadataOf,
  removeAttribute,
  setAttribute,
} from './tree/metadata.ts';
export { copyContent, copyTree } from './tree/copy-tree.ts';
export { removeAt, removeTree } from './tree/remove-tree.ts';
export { treeFacts, type TreeFacts } from './tree/tree-facts.ts';
export { pathText } from './tree/path-text.ts';
export { takeDescriptor } from './take-descriptor.ts';
