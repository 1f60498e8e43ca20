/**
 * Discovery: walks a repository for the names of the table, reads what it finds once, and says what it could not look
 * at.
 *
 * Everything that is read is hostile, and may change while it is read. Nothing is written, and what is remembered from
 * one discovery to the next saves looks and never stands for bytes that are used.
 */
export { discover, type Discovered, type DiscoverOptions } from './discover.ts';
export type { DiscoveryLimits } from './memory.ts';
export { notEntered } from './listing.ts';
