import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

let made: Certificate | undefined;

/** One self-signed certificate for `*.test` and the loopback addresses, for both ends of every test. */
export function certificate(): Certificate {
  made ??= make();
  return made;
}

function make(): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-http-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  try {
    const names = 'subjectAltName=DNS:api.test,DNS:other.test,IP:127.0.0.1';
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=api.test',
        '-addext',
        names,
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
