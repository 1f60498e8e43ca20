import type { Grants } from '../place/grants.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { homeReads } from '../policy/builtin/home-reads.ts';
import { passedVariables } from '../policy/builtin/passed-variables.ts';
import type { McpServer, PlacedServer } from '../policy/mcp/types.ts';
import { pathPatternOf } from '../policy/patterns/path-pattern.ts';

type Lists = Readonly<
  Record<'read' | 'write' | 'hosts' | 'presets' | 'sockets' | 'environment' | 'credentials', readonly string[]>
>;

/** Upper limits for one server, within the grants of its session. */
export interface Capabilities {
  /** Layers that remove grants which were not declared. Without an entry and flags, nothing is granted. */
  readonly layers: readonly PolicyText[];
  /** Names of credentials. */
  readonly credentials: readonly string[];
  /** Lists of name patterns. A tool must match at least one pattern of each list. */
  readonly tools: readonly (readonly string[])[];
  readonly sampling: 'allow' | 'refuse';
  readonly elicitation: 'allow' | 'refuse';
}

export interface CapabilityOptions {
  readonly servers: readonly PlacedServer[];
  readonly name: string;
  /** Absolute paths from flags, in addition to the declarations of the user's policy. */
  readonly grants: Grants;
  /** Paths of Holdfast itself, which its boxes have to see. */
  readonly visible: readonly string[];
}

/** The user's entry declares the grants, or else the administrator's. All other entries only remove grants. */
export function capabilitiesOf({ servers, name, grants, visible }: CapabilityOptions): Capabilities {
  const rows = servers.filter(({ server }) => server.name === name);
  const declaring = rows.find(({ layer }) => layer === 'user') ?? rows.find(({ layer }) => layer === 'managed');
  const others = rows.filter((row) => row !== declaring).map(({ server }) => server);
  const declared = joined(listsOf(declaring?.server), grantedLists(grants));
  const said = (key: 'sampling' | 'elicitation'): 'allow' | 'refuse' =>
    declaring?.server[key] === 'allow' && others.every((other) => other[key] !== 'refuse') ? 'allow' : 'refuse';
  return {
    layers: [declared, ...others.map(listsOf)].map((lists, index) => ({
      kind: 'session',
      file: index === 0 ? `mcp:${name}` : `mcp:${name}:${index}`,
      text: ceiling(lists, visible),
    })),
    credentials: declared.credentials.filter((each) =>
      others.every(({ credentials }) => credentials?.includes(each) ?? false),
    ),
    tools: rows.flatMap(({ server: { tools } }) => (tools === undefined ? [] : [tools])),
    sampling: said('sampling'),
    elicitation: said('elicitation'),
  };
}

function listsOf({
  read = [],
  write = [],
  hosts = [],
  presets = [],
  sockets = [],
  environment = [],
  credentials = [],
}: Partial<McpServer> = {}): Lists {
  return { read, write, hosts, presets, sockets, environment, credentials };
}

/** Flags are paths, not patterns. */
function grantedLists({
  read = [],
  write = [],
  hosts = [],
  presets = [],
  sockets = [],
  environment = [],
  credentials = [],
}: Grants): Lists {
  return {
    read: read.map(pathPatternOf),
    write: write.map(pathPatternOf),
    hosts,
    presets,
    sockets: sockets.map(pathPatternOf),
    environment,
    credentials: credentials.map(({ provider }) => provider),
  };
}

function joined(a: Lists, b: Lists): Lists {
  const both = (key: keyof Lists): readonly string[] => [...a[key], ...b[key]];
  return {
    read: both('read'),
    write: both('write'),
    hosts: both('hosts'),
    presets: both('presets'),
    sockets: both('sockets'),
    environment: both('environment'),
    credentials: both('credentials'),
  };
}

/** Only these lists remain of the grants of other layers. The JSON is also valid TOML. */
function ceiling({ read, write, hosts, presets, sockets, environment }: Lists, visible: readonly string[]): string {
  const programs = homeReads.map(({ pattern }) => pattern);
  return [
    'version = 1',
    '[files]',
    list('read', [...programs, ...visible.map(pathPatternOf), ...read, ...write]),
    list('write', write),
    '[network]',
    list('hosts', hosts),
    list('presets', presets),
    '[sockets]',
    list('allow', sockets),
    '[environment]',
    list('pass', [...passedVariables, ...environment]),
    '',
  ].join('\n');
}

function list(key: string, values: readonly string[]): string {
  return `${key} = ${JSON.stringify([...new Set(values)])}`;
}
