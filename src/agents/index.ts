/**
 * The agents room: adapters between coding agents and the library. Each turns an agent's requests in its own protocol
 * into calls of a `Sandbox`, and the results into a form that the agent may read.
 *
 * Decisions, policies and boxes may not enter: a library user can do everything that an adapter does.
 */
export { serveMcp, type McpOptions } from './mcp/serve-mcp.ts';
export type { Imported, ImportSource } from './import/import-policy.ts';
