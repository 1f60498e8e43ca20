import { answerOf } from '../answer.ts';
import { builtinFile, defaultUserFile } from '../origin.ts';
import { builtinOrigin } from './builtin-atoms.ts';
import type { Layer } from './layer.ts';

/** A base that grants nothing at all: what a policy without a user layer falls back to, so that forgetting it is safe. */
export function closedLayer(): Layer {
  const answer = answerOf(builtinOrigin('closed', 'user'), { decision: 'deny', code: 'not-granted', editFile: defaultUserFile });
  const refuse = () => answer;
  return {
    id: 'closed',
    kind: 'user',
    file: builtinFile,
    answers: { file: refuse, exec: refuse, connect: refuse, http: refuse, dns: refuse, socket: refuse, signal: refuse, env: refuse, tool: refuse, trust: refuse, registry: refuse },
    network: { address: refuse, treatment: () => 'splice', grantsRequests: () => false, grantsRequestsUnasked: () => false, facts: () => ({ ports: [], loopback: [], forwards: [], passthrough: [], openings: [], httpRules: [], authorities: [] }) },
    settings: { limits: {}, variables: [], requirements: [], ptrace: { value: 'deny', origin: builtinOrigin('process.ptrace', 'user') }, dns: { value: 'fake', origin: builtinOrigin('network.dns', 'user') }, watch: { value: 'every-host', origin: builtinOrigin('network.watch', 'user') }, newProtected: { value: 'refuse', origin: builtinOrigin('files.new_protected', 'user') } },
    credentials: [],
    files: () => [],
    names: () => [],
    statements: () => [],
    commands: () => [],
    limitsCommands: true,
    uses: () => [],
  };
}
