import { parse, stringify, type TomlTable } from 'smol-toml';
import type { ClusterPolicy, ClusterRequest } from './types.ts';

/** The supervisor's place, as the command's container sees it. */
export const wayDirectory = '/run/holdfast-way';
/** The supervisor's authority. The box sees no other part of the way. */
export const trustDirectory = `${wayDirectory}/trust`;

/**
 * Whether the supervisor judges requests, and not only connections. Then it ends TLS, inserts secrets and counts calls
 * of models, and the box trusts the supervisor's authority.
 */
export function decidesRequests({ plan: { network } }: Pick<ClusterRequest, 'plan'>): boolean {
  return network.kind === 'names' && network.authority === 'session';
}

/** Tables of a policy with rules that the supervisor applies. */
const ofSupervisor = ['connect', 'http', 'credentials'] as const;

/**
 * Whether some rule makes the supervisor hold a connection, a request or a use of a credential until a person answers.
 */
export function supervisorAsks(request: Pick<ClusterRequest, 'plan' | 'policies'>): boolean {
  return request.plan.network.kind === 'names' && request.policies.some(({ text }) => ofSupervisor.some(asking(text)));
}

function asking(text: string): (table: (typeof ofSupervisor)[number]) => boolean {
  const policy = parse(text);
  return (table) => ((policy[table] ?? []) as readonly TomlTable[]).some(({ decision }) => decision === 'ask');
}

/** Rules about these never apply in a box: the supervisor applies them, or boxes do not have the part. */
const ofNoBox: ReadonlySet<string> = new Set([...ofSupervisor, 'tools', 'mcp']);

/**
 * Whether a box may ask: about commands, files, sockets or signals. A list of commands also asks about unknown words,
 * so it counts by itself.
 */
export function boxAsks({ policies }: Pick<ClusterRequest, 'policies'>): boolean {
  return policies.some(({ text }) =>
    Object.entries(parse(text)).some(
      ([table, value]) => !ofNoBox.has(table) && (table === 'commands' || table === 'exec' || says(value, 'ask')),
    ),
  );
}

function says(value: unknown, word: string): boolean {
  if (typeof value !== 'object' || value === null) return value === word;
  return Object.entries(value).some(([key, each]) => key === word || says(each, word));
}

/** Whether the command's container gets policies of its own. */
export function hasBoxPolicies(request: Pick<ClusterRequest, 'plan' | 'policies'>): boolean {
  return decidesRequests(request) || supervisorAsks(request);
}

/**
 * The policies for the command's container. The supervisor has the complete ones and judges everything again, so these
 * may be wider. They have no credentials, no questions about connections, and connections in place of requests.
 */
export function boxPolicies(request: ClusterRequest): readonly ClusterPolicy[] {
  const { policies, home, trust, credentials } = request;
  if (!hasBoxPolicies(request)) return policies;
  if (!decidesRequests(request)) return policies.map((policy) => ({ ...policy, text: unaskedText(policy.text) }));
  const user: ClusterPolicy = {
    kind: 'user',
    file: `${home}/.config/holdfast/policy.toml`,
    text: policies.find(({ kind }) => kind === 'user')?.text ?? 'version = 1\n',
  };
  return [...policies.filter(({ kind }) => kind !== 'user'), user].map((policy) => ({
    ...policy,
    text: boxPolicyText(policy, { trust, routes: credentials.flatMap((each) => each.routes) }),
  }));
}

/** Settings of the network that end TLS, or that only the end of TLS needs. */
const ofRequests = ['inspect', 'watch', 'passthrough', 'ca'];

interface Way extends Pick<ClusterRequest, 'trust'> {
  readonly routes: readonly string[];
}

function boxPolicyText({ kind, text }: ClusterPolicy, { trust, routes }: Way): string {
  const { credentials: _credentials, llm: _llm, http = [], connect = [], network, environment, ...rest } = parse(text);
  const settings = Object.entries((network ?? {}) as TomlTable).filter(([name]) => !ofRequests.includes(name));
  const opened = (http as readonly TomlTable[]).filter(({ decision }) => decision !== 'deny').map(connection);
  const connections = [
    ...(connect as readonly TomlTable[]).map(unasked),
    ...opened,
    // A project can open nothing, and a managed policy may be the only grant.
    ...(kind === 'project' ? [] : routes.map(routeRule)),
  ];
  return stringify({
    ...rest,
    ...(settings.length === 0 ? {} : { network: Object.fromEntries(settings) }),
    ...(connections.length === 0 ? {} : { connect: connections }),
    ...(kind === 'user'
      ? ofUser(trust, environment as TomlTable | undefined)
      : environment === undefined
        ? {}
        : { environment }),
  });
}

function ofUser(trust: ClusterRequest['trust'], { set = {}, ...environment }: TomlTable = {}): TomlTable {
  return { environment: { ...environment, set: { ...trust, ...(set as TomlTable) } }, llm: { gateway: 'off' } };
}

/** Nobody answers in the command's container, and an answer from there would not count. */
function unasked({ decision, ...rule }: TomlTable): TomlTable {
  return { ...rule, ...(decision === undefined ? {} : { decision: decision === 'ask' ? 'allow' : decision }) };
}

function unaskedText(text: string): string {
  const { connect, ...rest } = parse(text);
  return connect === undefined ? text : stringify({ ...rest, connect: (connect as readonly TomlTable[]).map(unasked) });
}

/** The name of a base URL exists only at the supervisor, which judges the requests to the host behind it. */
function routeRule(host: string, index: number): TomlTable {
  return { name: `holdfast-base-url-${index}`, hosts: [`${host}:80`], decision: 'allow' };
}

/** The connections that a rule about requests needs. */
function connection({ schemes: _s, methods: _m, paths: _p, redirect_to: _r, ...rule }: TomlTable): TomlTable {
  return { ...rule, decision: 'allow' };
}
