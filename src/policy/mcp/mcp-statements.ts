import type { McpLayer } from './types.ts';

interface McpStatement {
  readonly subject: string;
  readonly value: string;
  /** Where in the document it stands: `mcp.servers[0]`. */
  readonly at: string;
  readonly reason?: string | undefined;
}

/** What a layer says about MCP servers, line by line. */
export function mcpStatements({ value: { pin, servers = [], flows = [] } }: McpLayer): readonly McpStatement[] {
  return [
    ...(pin === undefined ? [] : [{ subject: 'mcp.pin', at: 'mcp.pin', value: pin }]),
    ...servers.map(({ name, ...capabilities }, index) => ({ subject: 'mcp.servers', at: `mcp.servers[${index}]`, value: [`${name}:`, ...Object.entries(capabilities).map(([key, has]) => `${key}=${JSON.stringify(has)}`)].join(' ') })),
    ...flows.map(({ name, from, to, decision, reason }, index) => ({ subject: 'mcp.flows', at: `mcp.flows[${index}]`, value: `${decision} ${to.join(', ')} after ${from.join(', ')} (${name})`, reason })),
  ];
}
