import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { leafMint } from '../../src/egress/tls/leaf.ts';
import { toPem } from '../../src/egress/tls/host-trust.ts';
import { firstLine } from './first-line.ts';

export interface BenchServer {
  /** Port on the loopback that speaks HTTP in the clear. */
  readonly plain: number;
  readonly secure: number;
  /** PEM file of the authority that signed the certificate of `secure`. */
  readonly authority: string;
  /** The common name of that authority. */
  readonly issuer: string;
  close(): void;
}

export interface ServerOptions {
  readonly program: string;
  /** Directory of keys and certificates. */
  readonly directory: string;
  /** The name in the certificate. The upstream leg of an ended TLS connection checks it. */
  readonly host: string;
  /** The bearer token that it requires. Default: none. */
  readonly token?: string;
}

export async function startServer({ program, directory, host, token }: ServerOptions): Promise<BenchServer> {
  const signer = createAuthority();
  const mint = leafMint(signer);
  const put = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  const authority = put('authority.pem', signer.certificatePem);
  const issuer = new X509Certificate(signer.certificatePem).subject.replace('CN=', '');
  const paths = [put('certificate.pem', toPem(mint.certificateFor(host))), put('key.pem', mint.privateKeyPem)];
  const child = spawn(program, token === undefined ? paths : [...paths, token], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [plain, secure] = (await firstLine(child)).split(' ').map(Number);
  return { plain: plain as number, secure: secure as number, authority, issuer, close: () => void child.stdin.end() };
}
