import { parse, stringify, type TomlTable } from 'smol-toml';
import type { ClusterPolicy, ClusterRequest } from './types.ts';

/** The supervisor's place for the command's container. */
export const wayDirectory = '/run/holdfast-way';
/** The supervisor's authority. The box sees nothing else of the way. */
export const trustDirectory = `${wayDirectory}/trust`;

/**
 * Whether the supervisor decides requests, and not only connections: it ends TLS, puts secrets in and counts calls of
 * models. The box then trusts the supervisor's authority.
 */
export function decidesRequests({ plan: { network } }: Pick<ClusterRequest, 'plan'>): boolean {
  return network.kind === 'names' && network.authority === 'session';
}

/**
 * The policies for the command's container. The supervisor has the whole ones and decides everything again, so these
 * may be wider: without credentials, and with connections in place of requests.
 */
export function boxPolicies(request: ClusterRequest): readonly ClusterPolicy[] {
  const { policies, home, trust } = request;
  if (!decidesRequests(request)) return policies;
  const user: ClusterPolicy = {
    kind: 'user',
    file: `${home}/.config/holdfast/policy.toml`,
    text: policies.find(({ kind }) => kind === 'user')?.text ?? 'version = 1\n',
  };
  return [...policies.filter(({ kind }) => kind !== 'user'), user].map((policy) => ({
    ...policy,
    text: boxPolicyText(policy, trust),
  }));
}

/** Settings of the network that end TLS, or that only the end of TLS needs. */
const ofRequests = ['inspect', 'watch', 'passthrough', 'ca'];

function boxPolicyText({ kind, text }: ClusterPolicy, trust: ClusterRequest['trust']): string {
  const { credentials: _credentials, llm: _llm, http = [], connect = [], network, environment, ...rest } = parse(text);
  const settings = Object.entries((network ?? {}) as TomlTable).filter(([name]) => !ofRequests.includes(name));
  const opened = (http as readonly TomlTable[]).filter(({ decision }) => decision !== 'deny').map(connection);
  const connections = [...(connect as readonly TomlTable[]), ...opened];
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

/** Of a rule about requests: the connections that they need. */
function connection({ schemes: _s, methods: _m, paths: _p, redirect_to: _r, ...rule }: TomlTable): TomlTable {
  return { ...rule, decision: 'allow' };
}
