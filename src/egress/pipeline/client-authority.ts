import type { ConnectRequest, HttpRequest, Verdict } from '../../policy/index.ts';
import type { Approval, Authority } from '../types.ts';
import type { PipelineContext } from './context.ts';
import type { ServedConnection } from './serve-connection.ts';
import { untilGone } from './until-gone.ts';

/**
 * The authority as one client meets it. A person is asked once about its connection: what is opened for it later on, and
 * requests that nothing but the rule about the connection holds back, belong to that. A client that goes withdraws its questions.
 */
export function clientAuthority(served: Pick<ServedConnection, 'client' | 'origin'>, { authority, hasLeft }: Pick<PipelineContext, 'authority' | 'hasLeft'>): Authority {
  const { approve } = authority;
  if (approve === undefined) return authority;
  const approved = new Set<string>();
  const asked = async (request: ConnectRequest | HttpRequest, verdict: Verdict, signal?: AbortSignal): Promise<Approval> => {
    const waiting = untilGone(served.client, () => hasLeft?.(served.origin) === true);
    try {
      return await approve(request, verdict, signal === undefined ? waiting.signal : AbortSignal.any([waiting.signal, signal]));
    } finally {
      waiting.end();
    }
  };
  return {
    ...authority,
    async approve(request, verdict, signal) {
      const connection = connectionOf(request);
      const about = request.kind === 'connect' ? verdict : authority.decide(connection);
      if (!isSameRule(about, verdict)) return asked(request, verdict, signal);
      const key = JSON.stringify([connection, about.file, about.rule, about.line]);
      if (approved.has(key)) return { kind: 'allowed' };
      const answer = await asked(connection, about, signal);
      if (answer.kind === 'allowed') approved.add(key);
      return answer;
    },
  };
}

function connectionOf(request: ConnectRequest | HttpRequest): ConnectRequest {
  return request.kind === 'connect' ? request : { kind: 'connect', host: request.host, port: request.port, protocol: 'tcp' };
}

/** Rules about requests and about connections may be called the same: what they say and where they stand differs. */
function isSameRule(one: Verdict, other: Verdict): boolean {
  return one.decision === other.decision && one.file === other.file && one.rule === other.rule && one.line === other.line;
}
