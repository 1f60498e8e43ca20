/**
 * The policy room decides what may be read, written, run and reached, and explains why.
 *
 * A policy is a set of layers. `decide` returns their strictest answer, and no other code decides. Nothing here touches
 * the host: texts come in, data goes out. The room imports only the errors room, the TOML parser and the schema
 * library, and uses no file system, clock or environment.
 */
import { builtinOrigin } from './layers/builtin-atoms.ts';
import type { Layer } from './layers/layer.ts';
import { answerOf, builtinFile, defaultUserFile } from './origin.ts';
import { layerKinds } from './verdict.ts';

/** The rules of a session: layers in their canonical order, each once. Made by `policyOf` and `meet`. Immutable. */
export interface Policy {
  readonly layers: readonly Layer[];
}

/** Returns the policy of these layers. Without a user layer it grants nothing, and so allows nothing. */
export function policyOf(layers: readonly Layer[]): Policy {
  const based = layers.some(({ kind }) => kind === 'user') ? layers : [...layers, closedLayer()];
  const unique = new Map(based.map((layer) => [layer.id, layer]));
  return { layers: [...unique.values()].toSorted(canonicalOrder) };
}

/**
 * Returns the policy that allows exactly the requests that both allow. Commutative, associative and idempotent, because
 * a policy is a set of layers and the strictest decides.
 */
export function meet(a: Policy, b: Policy): Policy {
  return policyOf([...a.layers, ...b.layers]);
}

function canonicalOrder(a: Layer, b: Layer): number {
  const order = layerKinds.indexOf(a.kind) - layerKinds.indexOf(b.kind);
  if (order !== 0) return order;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/**
 * Returns a base that grants nothing. A policy without a user layer falls back to it, so that forgetting one is safe.
 */
export function closedLayer(): Layer {
  const answer = answerOf(builtinOrigin('closed', 'user'), {
    decision: 'deny',
    code: 'not-granted',
    editFile: defaultUserFile,
  });
  const refuse = () => answer;
  return {
    id: 'closed',
    kind: 'user',
    file: builtinFile,
    answers: {
      file: refuse,
      exec: refuse,
      connect: refuse,
      http: refuse,
      dns: refuse,
      socket: refuse,
      signal: refuse,
      env: refuse,
      tool: refuse,
      trust: refuse,
      registry: refuse,
    },
    network: {
      address: refuse,
      treatment: () => 'splice',
      grantsRequests: () => false,
      grantsRequestsUnasked: () => false,
      facts: () => ({
        ports: [],
        loopback: [],
        forwards: [],
        passthrough: [],
        openings: [],
        httpRules: [],
        authorities: [],
      }),
    },
    settings: {
      limits: {},
      variables: [],
      requirements: [],
      ptrace: { value: 'deny', origin: builtinOrigin('process.ptrace', 'user') },
      dns: { value: 'fake', origin: builtinOrigin('network.dns', 'user') },
      watch: { value: 'every-host', origin: builtinOrigin('network.watch', 'user') },
      newProtected: { value: 'refuse', origin: builtinOrigin('files.new_protected', 'user') },
      laterSockets: { value: 'refuse', origin: builtinOrigin('sockets.later', 'user') },
    },
    credentials: [],
    files: () => [],
    names: () => [],
    statements: () => [],
    commands: () => [],
    limitsCommands: true,
    uses: () => [],
  };
}
