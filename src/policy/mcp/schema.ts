import * as v from 'valibot';
import { texts } from '../document/rule-schema.ts';

const mostEntries = 200;

/** Names have no slash: a server called `a/b` could pose as tool `b` of server `a`. */
const serverName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('As `holdfast mcp wrap --name` gives it'),
);

const flowName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('Unique among flows; refusals and the journal show it'),
);

const offered = v.optional(
  v.pipe(
    v.picklist(['allow', 'refuse']),
    v.description('"refuse" (default), or "allow" to pass such requests of the server on to the agent'),
  ),
);

const server = v.strictObject({
  name: serverName,
  read: v.optional(texts('Paths that the server may read, besides programs; "." is the workspace')),
  write: v.optional(texts('Paths that it may read and write')),
  hosts: v.optional(texts('Hosts that it may connect to')),
  presets: v.optional(texts('Sets of hosts by name, as in network.presets')),
  sockets: v.optional(texts('Unix sockets of the host that it may use')),
  environment: v.optional(texts('Variables that it gets, besides those that say nothing about the user')),
  credentials: v.optional(texts('Names of [[credentials]] that it gets')),
  tools: v.optional(texts('Names of the tools that exist for the agent, default all; * and ? are wildcards')),
  sampling: offered,
  elicitation: offered,
});

const flow = v.strictObject({
  name: flowName,
  from: texts('The earlier calls: "server/tool", or "server" for all of its tools'),
  to: texts('The later calls, which Holdfast then asks about or refuses'),
  decision: v.picklist(['ask', 'deny']),
  reason: v.optional(v.pipe(v.string(), v.description('Shown wherever the flow decides'))),
});

export const mcpEntry = v.optional(
  v.pipe(
    v.strictObject({
      pin: v.optional(
        v.pipe(
          v.picklist(['first-use', 'ask']),
          v.description(
            'The treatment of a new server. "first-use" (default): Holdfast accepts its tools, and asks about changes. "ask": it asks about the tools too; wins if any policy says it',
          ),
        ),
      ),
      servers: v.optional(
        v.pipe(
          v.array(server),
          v.maxLength(mostEntries),
          v.description(
            'The grants of the policy that a server of `holdfast mcp wrap` gets; none without an entry or a flag',
          ),
        ),
      ),
      flows: v.optional(
        v.pipe(
          v.array(flow),
          v.maxLength(mostEntries),
          v.description('Calls that must not follow others in one session of an agent'),
        ),
      ),
    }),
    v.description('MCP servers that run in a box of their own'),
  ),
);
