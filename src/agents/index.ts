/**
 * The agents room: adapters between coding agents and the library. Each turns what an agent asks in a protocol of its
 * own into calls of a `Sandbox`, and what comes back into what that agent may read.
 *
 * Decisions, policies and boxes may not enter: whatever an adapter does, a library user can do.
 */
export { serveMcp, type McpOptions } from './mcp/serve-mcp.ts';
export type { Imported, ImportSource } from './import/import-policy.ts';
