import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { UserProof } from '../config/credential-headers.ts';
import type { KubeCall, KubeTarget } from './types.ts';

/** The limits for a stalled or hostile server: silence for too long, or more bytes than this client keeps. */
class StalledError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Opens one connection, sends one request and resolves to the head of the answer. */
export async function sendCall(call: KubeCall, target: KubeTarget, given?: UserProof): Promise<IncomingMessage> {
  const proof = given ?? (await target.prover.prove());
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
  return new Promise((resolve, reject) => {
    const request = requestFor(call, target, { proof, length: body?.length });
    const { answer } = target.patience;
    request.setTimeout(answer, () =>
      request.destroy(new StalledError(`no answer within ${Math.round(answer / 1000)} seconds`)),
    );
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

interface Sent {
  readonly proof: UserProof;
  /** Length of the body. By default, Node sends no body with a DELETE. */
  readonly length: number | undefined;
}

function requestFor(call: KubeCall, { access, signal }: KubeTarget, { proof, length }: Sent): ClientRequest {
  const url = urlOf(call, access.server);
  const options = {
    method: call.method,
    signal,
    agent: false,
    headers: {
      accept: 'application/json',
      'user-agent': 'holdfast',
      ...(length === undefined
        ? {}
        : { 'content-type': call.contentType ?? 'application/json', 'content-length': length }),
      ...proof.headers,
    },
  } as const;
  return url.protocol === 'https:' ? httpsRequest(url, { ...options, ...proof.tls }) : httpRequest(url, options);
}

/** The server of a kubeconfig may have a path. */
export function urlOf({ path, query = [] }: Pick<KubeCall, 'path' | 'query'>, server: URL): URL {
  const url = new URL(server);
  url.pathname = `${server.pathname.replace(/\/$/u, '')}${path}`;
  url.search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  return url;
}

const longestBody = 32 << 20;

export async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestBody) throw new StalledError('the answer is longer than 32 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
