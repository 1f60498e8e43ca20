import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TlsOptions, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import {
  certificate,
  type CertificateAuthority,
  type CertificateFields,
  extension,
  keyIdentifier,
  derName,
  publicKeyInfo,
  randomSerial,
} from '../authority.ts';
import { type Der, der } from '../der.ts';
import { leafMint } from '../leaf.ts';
import { toPem } from '../host-trust.ts';

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface Server {
  readonly port: number;
  /** Connections that completed the handshake. */
  readonly secured: TLSSocket[];
}

/** A TLS server on loopback that ends with the test. It sends `hello` to every client. */
export async function tlsServer(options: TlsOptions): Promise<Server> {
  const secured: TLSSocket[] = [];
  const server = createServer(options, (socket) => {
    secured.push(socket);
    socket.on('error', () => undefined);
    socket.write('hello');
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of secured) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, secured };
}

/** An ordinary certificate for `host` at a point in time. */
export function identity(authority: CertificateAuthority, host: string, now?: number): Identity {
  const mint = leafMint(authority, () => now ?? Date.now());
  return { key: mint.privateKeyPem, cert: toPem(mint.certificateFor(host)) };
}

export interface OddCertificate {
  readonly subject: string;
  /** Absent: signed with its own key. */
  readonly issuer?: { readonly name: Der; sign(data: Uint8Array): Uint8Array };
  readonly extensions?: readonly Der[];
}

export interface OddIdentity extends Identity {
  readonly name: Der;
  sign(data: Uint8Array): Uint8Array;
}

/** A certificate that no proper authority would sign. */
export function oddIdentity({ subject, issuer, extensions = [] }: OddCertificate): OddIdentity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = publicKeyInfo(keys.publicKey);
  const name = derName(subject);
  const own = (data: Uint8Array): Uint8Array => sign('sha256', data, keys.privateKey);
  const fields: CertificateFields = {
    serial: randomSerial(),
    issuer: issuer?.name ?? name,
    subject: name,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    publicKey,
    extensions: [extension('2.5.29.14', 'optional', der.octets(keyIdentifier(publicKey))), ...extensions],
  };
  const cert = toPem(certificate(fields, issuer === undefined ? own : (data) => issuer.sign(data)));
  return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, name, sign: own };
}

export function dnsNames(...names: readonly string[]): Der {
  return extension(
    '2.5.29.17',
    'optional',
    der.sequence(...names.map((name) => der.implicit(2, Buffer.from(name, 'latin1')))),
  );
}

export const authorityConstraints = extension('2.5.29.19', 'critical', der.sequence(der.true()));
export const forClientsOnly = extension('2.5.29.37', 'optional', der.sequence(der.oid('1.3.6.1.5.5.7.3.2')));
