/**
 * The MCP client's side: stands between an agent and an MCP server that runs in a box of its own. What the server may have, which of its tools
 * exist, and which calls are made is decided in the sandbox room; here are the protocol and the filter.
 *
 * Whatever comes from the server is hostile: nothing of it reaches the agent that was not read and written anew.
 */
export { wrapMcp, type WrapOptions, type WrapEnd } from './wrap-mcp.ts';
