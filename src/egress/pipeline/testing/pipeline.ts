import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { decide, decideAddress } from '../../../policy/decide.ts';
import { passesUnasked, tlsTreatment } from '../../../policy/settings/tls-treatment.ts';
import { policyFrom } from '../../../policy/testing/policies.ts';
import { dial } from '../../dial/dial.ts';
import { createIdleConnections } from '../../http/h1/idle-connections.ts';
import { type CertificateAuthority, createAuthority } from '../../tls/authority.ts';
import { leafContexts } from '../../tls/leaf.ts';
import { createUpstreamTrust } from '../../tls/upstream-trust.ts';
import type {
  Authority,
  ConnectionRecord,
  Destination,
  EgressRefusal,
  Refused,
  RequestRecord,
  Resolution,
  StatementRecord,
} from '../../types.ts';
import type { ClientOrigin, PipelineContext, ServedConnection } from '../context.ts';

export interface Bench {
  readonly context: PipelineContext;
  readonly connections: ConnectionRecord[];
  readonly requests: RequestRecord[];
  readonly statements: StatementRecord[];
  readonly refusals: EgressRefusal[];
  /** Looked-up names, in order. */
  readonly lookups: string[];
  /** Dialled addresses. */
  readonly dialled: string[];
  /** The session's authority, which its boxes trust. */
  readonly session: CertificateAuthority;
}

export interface BenchOptions extends Partial<Omit<PipelineContext, 'authority'>> {
  /** The addresses of names. Others are 127.0.0.1. */
  readonly names?: Readonly<Record<string, readonly string[] | Refused>>;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Further roots for servers, PEM. */
  readonly roots?: readonly string[];
  readonly authority?: Partial<Authority>;
}

/** The authority of a user's policy, as a session asks it. */
export function authorityOfPolicy(user: string): Authority {
  const policy = policyFrom({ user });
  return {
    decide: (request) => decide(policy, request),
    decideAddress: (address, port) => decideAddress(policy, { address, port }),
    tlsTreatment: (destination) => tlsTreatment(policy, destination),
    passesUnasked: (destination) => passesUnasked(policy, destination),
  };
}

/** All parts of a pipeline, with a real policy. All addresses of the host are loopback. */
export function bench(
  user: string,
  { names = {}, aliases = {}, roots = [], authority = {}, ...more }: BenchOptions = {},
): Bench {
  const session = createAuthority();
  const kept = {
    connections: [] as ConnectionRecord[],
    requests: [] as RequestRecord[],
    statements: [] as StatementRecord[],
    refusals: [] as EgressRefusal[],
    lookups: [] as string[],
    dialled: [] as string[],
  };
  const trust = createUpstreamTrust({ roots });
  const idle = createIdleConnections();
  onTestFinished(() => idle.close());
  const resolve = async (name: string): Promise<Resolution | Refused> => {
    kept.lookups.push(name);
    const answer = names[name] ?? ['127.0.0.1'];
    return 'kind' in answer ? answer : { kind: 'resolved', aliases: aliases[name] ?? [], addresses: answer };
  };
  const context: PipelineContext = {
    authority: { ...authorityOfPolicy(user), ...authority },
    resolver: { resolve },
    own: () => new Set(['127.0.0.1', '::1']),
    dial: (vetted, options) => {
      kept.dialled.push(...vetted.addresses);
      return dial(vetted, options);
    },
    contextFor: leafContexts(session),
    trust: () => trust,
    explainTls: 'answer',
    interceptors: [],
    watch: () => ({ push: (bytes) => bytes, end: () => Buffer.alloc(0) }),
    broker: () => undefined,
    routes: new Map(),
    idle,
    record: (connection) => void kept.connections.push(connection),
    recordRequest: (request) => void kept.requests.push(request),
    recordStatement: (statement) => void kept.statements.push(statement),
    refused: (refusal) => void kept.refusals.push(refusal),
    ...more,
  };
  return { context, session, ...kept };
}

export const origin: ClientOrigin = { front: 'transparent', address: '127.0.0.1', port: 4321 };

export interface Pair {
  readonly client: Socket;
  /** As a listener of a box passes it on. */
  readonly accepted: Socket;
}

/** Both ends of one connection, which end with the test. */
export async function pair(): Promise<Pair> {
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  server.close();
  for (const socket of [client, accepted]) socket.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
  });
  return { client, accepted };
}

export interface Sent {
  readonly client: Socket;
  readonly ended: Promise<void>;
}

/** A client whose connection to `destination` is served. `serve` is the way in. */
export async function sent(
  destination: Destination,
  serve: (served: ServedConnection) => Promise<void>,
  more: Partial<ServedConnection> = {},
): Promise<Sent> {
  const { client, accepted } = await pair();
  return { client, ended: serve({ client: accepted, destination, origin, ...more }) };
}

/** All bytes of a socket until it ends. `reset` means a reset. */
export function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const text = (): string => Buffer.concat(chunks).toString('latin1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    socket.once('end', () => {
      resolve(text());
      socket.end();
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNRESET' ? `${text()}reset` : (error.code ?? '')),
    );
  });
}
