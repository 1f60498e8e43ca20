import { twice } from '../document/entry-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { mcpEntry } from '../mcp/schema.ts';
import type { Feature } from './feature.ts';

type Part = PolicyPart<{ mcp: typeof mcpEntry }> & {
  readonly credentials?: readonly { readonly name: string }[] | undefined;
};

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

/** Returns the problems of one document's `[mcp]`, other than its patterns. */
function mcpFindings({ mcp: { servers = [], flows = [] } = {}, credentials = [] }: Part): readonly DocumentFinding[] {
  const known = new Set(credentials.map(({ name }) => name));
  return [
    ...twice('mcp.servers', servers),
    ...twice('mcp.flows', flows),
    ...flows.flatMap(({ from, to }, index) => [
      ...(from.length === 0 ? [nothing(`mcp.flows[${index}].from`)] : []),
      ...(to.length === 0 ? [nothing(`mcp.flows[${index}].to`)] : []),
    ]),
    // Credentials of a project's or managed policy may be in another file. So only a file with credentials is checked
    // against its own names.
    ...(credentials.length === 0 ? [] : servers).flatMap(({ credentials: wanted = [] }, index) =>
      wanted.flatMap((name, at) =>
        known.has(name)
          ? []
          : [
              {
                at: `mcp.servers[${index}].credentials[${at}]`,
                message: `no entry of [[credentials]] is called "${name}"`,
                remedy: `write one of: ${[...known].join(', ')}`,
              },
            ],
      ),
    ),
  ];
}

function nothing(at: string): DocumentFinding {
  return { at, message: 'the flow names no tools', remedy: 'write "server/tool", or "server" for all of its tools' };
}
