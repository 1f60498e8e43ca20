/**
 * The trust room: what in a repository could execute, redirect or speak to an agent, what someone approved of it, and
 * what has changed since.
 *
 * Approvals are of bytes: what was hashed is what a box gets. Nothing of a repository is run or loaded here; it is
 * read, once, as hostile data. Trust never takes a box away.
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
export { discover, type Discovered, type DiscoverOptions, type DiscoveryLimits, notEntered } from './discover/index.ts';
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
