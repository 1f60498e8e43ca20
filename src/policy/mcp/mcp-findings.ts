import type { Finding } from '../document/problem.ts';
import type { PolicyValue } from '../document/types.ts';

/** What is wrong with `[mcp]` of one document, its patterns apart. */
export function mcpFindings({
  mcp: { servers = [], flows = [] } = {},
  credentials = [],
}: Pick<PolicyValue, 'mcp' | 'credentials'>): readonly Finding[] {
  const known = new Set(credentials.map(({ name }) => name));
  return [
    ...twice('mcp.servers', servers),
    ...twice('mcp.flows', flows),
    ...flows.flatMap(({ from, to }, index) => [
      ...(from.length === 0 ? [nothing(`mcp.flows[${index}].from`)] : []),
      ...(to.length === 0 ? [nothing(`mcp.flows[${index}].to`)] : []),
    ]),
    // Credentials of a project or a managed policy may be another file's: only a file that has some can be held to its
    // own names.
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

function nothing(at: string): Finding {
  return { at, message: 'the flow names no tools', remedy: 'write "server/tool", or "server" for all of its tools' };
}

function twice(at: string, entries: readonly { readonly name: string }[]): readonly Finding[] {
  return entries.flatMap(({ name }, index) => {
    const first = entries.findIndex((entry) => entry.name === name);
    return first === index
      ? []
      : [
          {
            at: `${at}[${index}].name`,
            message: `the name "${name}" is already used by ${at}[${first}]`,
            remedy: 'give each entry a name of its own',
          },
        ];
  });
}
