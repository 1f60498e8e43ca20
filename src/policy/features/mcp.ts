import { mcpFindings } from '../mcp/mcp-findings.ts';
import { mcpEntry } from '../mcp/schema.ts';
import type { Feature } from './feature.ts';

/** Tools for coding agents: the box as an MCP server, and other MCP servers in boxes of their own. */
export const mcp = {
  name: 'mcp',
  policy: { mcp: mcpEntry },
  patterns: {
    'mcp.servers.read': 'path',
    'mcp.servers.write': 'path',
    'mcp.servers.hosts': 'host',
    'mcp.servers.sockets': 'socket',
    'mcp.servers.environment': 'variable',
    'mcp.servers.tools': 'wildcard',
    'mcp.flows.from': 'wildcard',
    'mcp.flows.to': 'wildcard',
  },
  findings: mcpFindings,
  commands: [
    {
      name: 'mcp',
      module: 'mcp/index.ts',
      export: 'mcpCommand',
      summary: 'Serve the sandbox to an agent as MCP tools',
      section: 'agents',
    },
  ],
} as const satisfies Feature;
