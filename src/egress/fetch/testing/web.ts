import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { dial } from '../../dial/dial.ts';
import { serve } from '../../dial/testing/loopback.ts';
import { authorityOf, verdictOf } from '../../ssrf/testing/authorities.ts';
import { createUpstreamTrust } from '../../tls/upstream-trust.ts';
import type { Authority, ConnectionRecord, EgressRefusal, RequestRecord, Resolver } from '../../types.ts';
import { createHtmlConverter } from '../html/convert-html.ts';
import type { FetchContext, FetchResult } from '../types.ts';

export interface Journal {
  readonly connections: ConnectionRecord[];
  readonly requests: RequestRecord[];
  readonly refusals: EgressRefusal[];
  /** Looked-up names, in order. */
  readonly lookups: string[];
}

export interface World extends Journal {
  readonly context: FetchContext;
}

export interface WorldOptions extends Partial<Omit<FetchContext, 'authority'>> {
  /** Loopback ports that the policy opens. */
  readonly ports?: readonly number[];
  /** The addresses of names. Others are 127.0.0.1. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly authority?: Partial<Authority>;
}

/** All parts of a fetch: a policy that refuses `refused.test`, and names that lead to this machine. */
export function world({ ports = [], names = {}, authority = {}, ...more }: WorldOptions = {}): World {
  const journal: Journal = { connections: [], requests: [], refusals: [], lookups: [] };
  const resolver: Resolver = {
    resolve: async (name) => {
      journal.lookups.push(name);
      return { kind: 'resolved', aliases: [], addresses: names[name] ?? ['127.0.0.1'] };
    },
  };
  const decide: Authority['decide'] = (request) =>
    verdictOf('host' in request && request.host === 'refused.test' ? 'deny' : 'allow');
  const context: FetchContext = {
    authority: authorityOf(
      ports.flatMap((port) => [`127.0.0.1 ${port}`, `::1 ${port}`]),
      { decide, ...authority },
    ),
    resolver,
    own: () => new Set(['127.0.0.1', '::1', '192.0.2.2']),
    dial,
    trust: () => createUpstreamTrust({ roots: [] }),
    convertHtml: createHtmlConverter(),
    record: (connection) => void journal.connections.push(connection),
    recordRequest: (request) => void journal.requests.push(request),
    refused: (refusal) => void journal.refusals.push(refusal),
    ...more,
  };
  return { ...journal, context };
}

/** A web server on loopback that ends with the test. */
export async function web(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

export async function secureWeb(
  identity: { readonly key: string; readonly cert: string },
  listener: RequestListener,
): Promise<number> {
  const server = createTlsServer(identity, listener)
    .on('tlsClientError', () => undefined)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that answers the head of a request with a test's bytes. */
export async function rawWeb(reply: (socket: Socket, head: string) => void): Promise<number> {
  const { port } = await serve((socket) => {
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) reply(socket, head);
    });
    socket.on('end', () => socket.end());
  });
  return port;
}

export function outcomeOf(result: FetchResult): string {
  return result.kind === 'refused' ? result.refusal.code : result.kind;
}

export function textOf(result: FetchResult): string {
  if (result.kind === 'refused') throw new Error(`${result.refusal.code}: ${result.refusal.message}`);
  return result.kind === 'text' ? result.text : `${result.bytes.length} bytes`;
}

export function messageOf(result: FetchResult): string {
  return result.kind === 'refused' ? result.refusal.message : 'fetched';
}
