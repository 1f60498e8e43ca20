import { lineOf } from '../document/types.ts';
import type { Policy } from '../policy.ts';
import type { McpSettings } from './types.ts';

/** Combines the layers' statements about MCP servers. No layer removes another's. */
export function mcpOf({ layers }: Policy): McpSettings {
  const all = layers.flatMap(({ kind, settings: { mcp } }) => (mcp === undefined ? [] : [{ kind, mcp }]));
  return {
    pin: all.some(({ mcp }) => mcp.value.pin === 'ask') ? 'ask' : 'first-use',
    servers: all.flatMap(({ kind, mcp }) => (mcp.value.servers ?? []).map((server) => ({ layer: kind, server }))),
    flows: all.flatMap(({ mcp }) =>
      (mcp.value.flows ?? []).map((flow, index) => ({
        ...flow,
        origin: { ...mcp.origin, rule: flow.name, line: lineOf(mcp, `mcp.flows[${index}]`) },
      })),
    ),
  };
}
