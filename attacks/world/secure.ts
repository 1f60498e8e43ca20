import { createSecureServer as createHttp2Server, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { leafContexts, leafMint } from '../../src/egress/tls/leaf.ts';
import { toPem } from '../../src/egress/tls/host-trust.ts';
import { countFrames } from './count-frames.ts';
import { echoOf } from './echo.ts';
import { addressOf, type HttpOptions, redirectOf, serveHttp } from './http.ts';

export interface SecureServer {
  /** The authority that a client has to trust. */
  readonly authorityPem: string;
  serve(socket: Socket): void;
}

const day = 86_400_000;

/**
 * TLS for every requested name. Names that begin with `untrusted`, `expired` or `other-name` get a certificate of that
 * kind.
 */
export function createSecureServer(options: HttpOptions): SecureServer {
  const authority = createAuthority();
  const good = leafContexts(authority);
  const untrusted = leafContexts(createAuthority());
  const expired = leafContexts(createAuthority(), { now: () => Date.now() - 60 * day });
  const contextFor = (name: string): ReturnType<typeof good> => {
    if (name.startsWith('untrusted')) return untrusted(name);
    if (name.startsWith('expired')) return expired(name);
    return good(name.startsWith('other-name') ? 'someone-else.example' : name);
  };
  const identity = leafMint(authority);
  const server = createHttp2Server({
    key: identity.privateKeyPem,
    cert: toPem(identity.certificateFor('nameless.example')),
    allowHTTP1: true,
    SNICallback: (name, done) => done(null, contextFor(name.toLowerCase())),
  });
  const [serveHttp2] = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (secured: TLSSocket & { readonly servername?: string }) => {
    options.log(`tls ${addressOf(secured)} for ${String(secured.servername)}`);
    if (secured.alpnProtocol === 'h2' && secured.localPort === countingPort) countFrames(secured, options.log);
    else if (secured.alpnProtocol === 'h2') serveHttp2?.call(server, secured);
    else serveHttp(secured, options);
  });
  serveStreams(server, options);
  return {
    authorityPem: authority.certificatePem,
    serve(socket) {
      socket.on('error', () => socket.destroy());
      server.emit('connection', socket);
    },
  };
}

/** The server on this port does not interpret HTTP/2, so every flood reaches it. */
const countingPort = 8443;

function serveStreams(server: Http2SecureServer, { canary, log }: HttpOptions): void {
  server.on('stream', (stream, fields) => {
    const address = addressOf({ localAddress: stream.session?.socket.localAddress });
    log(`stream ${address} ${JSON.stringify(fields)}`);
    stream.on('error', () => stream.destroy());
    stream.on('end', () => {
      if (!stream.aborted)
        log(
          `request ${address} ${String(fields[':method'])} ${String(fields[':path'])} HTTP/2 host ${String(fields[':authority'])}`,
        );
    });
    stream.on('data', (bytes: Buffer) => log(`data ${bytes.toString('latin1')}`));
    const request = Buffer.from(
      Object.entries(fields)
        .map(([name, value]) => `${name}: ${String(value)}\r\n`)
        .join(''),
    );
    const echo = echoOf(String(fields[':path']), request);
    const location = redirectOf(String(fields[':path']));
    stream.respond(location === undefined ? { ':status': 200 } : { ':status': 302, location });
    if (echo === undefined) stream.end(`from ${address} for ${String(fields[':authority'])}: ${canary}\n`);
    else stream.end(Buffer.concat(echo.pieces));
  });
}
