/**
 * Discovery: searches a repository for the names of the table, reads each found file once, and reports everything that
 * it could not read.
 *
 * All input is hostile, and may change while it is read. Discovery writes nothing. The memory of an earlier discovery
 * saves reads, but never replaces the bytes that are used.
 */
export { discover, type Discovered, type DiscoverOptions } from './discover.ts';
export type { DiscoveryLimits } from './memory.ts';
export { notEntered } from './listing.ts';
