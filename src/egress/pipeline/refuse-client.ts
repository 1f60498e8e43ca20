import type { Duplex } from 'node:stream';
import type { Verdict } from '../../policy/verdict.ts';
import { refusePlain } from '../http/refusals.ts';
import { alertRecord, terminateTls } from '../tls/terminate.ts';
import type { EgressRefusal } from '../types.ts';
import { closed, type Ended, type PipelineContext, type ServedConnection } from './context.ts';
import { firstBytes } from './first-bytes.ts';

/**
 * Milliseconds for a client to reveal its protocol. A client that waits for the server to speak first is then reset.
 */
const patience = 200;
/** Milliseconds for a client's request after TLS. */
const requestPatience = 2000;

/** Reports a refusal to the client in its own protocol, and to the journal. */
export async function refuseServed(
  served: ServedConnection,
  context: PipelineContext,
  { refusal, verdict }: { readonly refusal: EgressRefusal; readonly verdict?: Verdict },
): Promise<Ended> {
  context.refused(refusal, served.destination, served.origin);
  if (served.refuse === undefined) await refuseClient(served, refusal, context);
  else served.refuse(refusal);
  return { refusal, ...(verdict === undefined ? {} : { verdict }) };
}

/**
 * Tells a client the reason of its refusal in a form that it can read. HTTP clients get 403, also inside TLS for the
 * requested name. All others get a reset. No client is left hanging.
 */
export async function refuseClient(
  { client, destination }: ServedConnection,
  refusal: EgressRefusal,
  { contextFor, explainTls }: Pick<PipelineContext, 'contextFor' | 'explainTls'>,
): Promise<void> {
  const first = await firstBytes(client, { until: patience });
  switch (first.kind) {
    case 'http':
      await requestOf(client);
      refusePlain(client, refusal);
      return closed(client, requestPatience);
    case 'tls': {
      if (explainTls === 'alert') return void client.end(alertRecord('accessDenied'), () => client.destroy());
      const secured = await terminateTls(client, {
        host: first.hello.serverName ?? destination.host,
        alpn: ['http/1.1'],
        contextFor,
        deadline: requestPatience,
      });
      if (secured.kind === 'refused') return void client.destroy();
      await requestOf(secured.socket);
      refusePlain(secured.socket, refusal);
      return closed(secured.socket, requestPatience);
    }
    case 'other':
    case 'malformed':
    case 'silent':
      client.resetAndDestroy();
  }
}

/** Unread bytes at a close cause a reset, and the client loses the answer. */
async function requestOf(socket: Duplex): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, requestPatience);
    socket.once('data', done).once('end', done).once('close', done).once('error', done);
  });
  socket.resume();
}
