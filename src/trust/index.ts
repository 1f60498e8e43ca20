/**
 * The trust room: the parts of a repository that could execute, redirect or speak to an agent, their approvals, and
 * their changes since.
 *
 * Approvals are of bytes: a box gets the bytes that were hashed. Nothing of a repository is run or loaded here: it is
 * read once, as hostile data. A missing approval never keeps a box from starting.
 */
export type {
  Discovery,
  ExecutableField,
  FoundFile,
  Surface,
  SurfaceKind,
  TrustEntry,
  TrustLevel,
  TrustRecord,
  TrustState,
  TrustStatus,
} from './types.ts';
export { hiddenSurfaceNames } from './surfaces/hidden-surface-names.ts';
export { discover, type Discovered, type DiscoverOptions } from './discover/discover.ts';
export type { DiscoveryLimits } from './discover/memory.ts';
export { notEntered } from './discover/listing.ts';
export type { TrustPaths } from './store/layout.ts';
export {
  type AllPins,
  changePins,
  type Definition,
  definitionOf,
  isSeenMark,
  isWithdrawn,
  pinsOf,
  readPins,
  removePins,
  seenMark,
  type ServerPins,
} from './pins/pins.ts';
