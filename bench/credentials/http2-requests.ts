import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { leafMint } from '../../src/egress/tls/leaf.ts';
import { toPem } from '../../src/egress/tls/host-trust.ts';
import { firstLine } from '../network/first-line.ts';
import type { Part } from '../network/part.ts';
import { key } from './box.ts';
import type { CredentialBench } from './bench.ts';
import { measureRequests, openClients } from './measure-requests.ts';

/** The same over HTTP/2, between a client and a server of Node. */
export async function http2Requests(bench: CredentialBench): Promise<readonly Part[]> {
  const { workspace, beside } = bench.scratch;
  const put = (name: string, content: string): string => {
    writeFileSync(join(beside, name), content, { mode: 0o600 });
    return join(beside, name);
  };
  const signer = createAuthority();
  const mint = leafMint(signer);
  const authority = put('http2-authority.pem', signer.certificatePem);
  const certificate = put('http2-certificate.pem', toPem(mint.certificateFor('localhost')));
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'http2-server.ts'), certificate, put('http2-key.pem', mint.privateKeyPem), key.value],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const port = Number(await firstLine(server));
  // The box does not see this repository.
  const program = join(workspace, 'http2-client.mts');
  copyFileSync(join(import.meta.dirname, 'http2-client.ts'), program);
  const clients = openClients(bench, {
    words: [process.execPath, program],
    environment: { NODE_EXTRA_CA_CERTS: authority },
    server: { port, authority },
  });
  const part = await measureRequests(
    {
      title: 'small request on a connection that stays open, HTTP/2',
      verb: 'ask',
      claim: 'HTTP/2 request',
      sizes: bench.sizes.requests,
      figures: 'first',
    },
    clients,
  );
  await clients.close();
  server.stdin.end();
  return [part];
}
