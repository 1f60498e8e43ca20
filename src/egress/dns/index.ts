/**
 * The resolver inside a box: DNS messages, the names of a session and their addresses, and the answers to look-ups.
 *
 * With fake addresses no look-up ever leaves the host: a name that is allowed gets an address of its own, and what it
 * stands for is found out when a connection to it comes. Whether a name is allowed is asked of the `Authority`; real
 * look-ups are asked of a `Resolver` and vetted by whoever put the parts together. Policies may not enter.
 */
export type { DnsAnswer, Transport } from './answer.ts';
export type { AddressMode, AnswerContext, RealAddresses, RefusedNames } from './answer-context.ts';
export type { LookupOutcome, LookupRecord } from './lookup-record.ts';
export { createNameTable, type NameStanding, type NameTable, type NameTableOptions } from './name-table.ts';
export { isFakeAddress } from './fake-range.ts';
export { serveDns, type DnsService, type DnsServiceOptions } from './serve.ts';
