import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { certificatesIn, type HostTrustFile, hostTrustFiles } from './host-trust.ts';
import { leafContexts } from './leaf.ts';
import { terminateTls } from './terminate.ts';
import { javaProgram } from './testing/clients.ts';
import { javaWords } from './testing/compiled.ts';
import { listen, scratch, scratchFile } from './testing/loopback.ts';
import { javas, programPath, reason, run } from './testing/programs.ts';
import { storeBags, trustBundle, type TrustFile, trustStore, trustVariables, trustVariableTable } from './trust.ts';

const [session, company] = [createAuthority(), createAuthority()];
const trustFiles = (authority: string, files: Parameters<typeof trustBundle>[1]): readonly TrustFile[] =>
  trustBundle(authority, files, () => []).replacements;
const textOf = (content: string | Uint8Array | undefined): string =>
  typeof content === 'string' ? content : Buffer.from(content ?? []).toString();
const pem = (content: string, target = '/etc/ssl/cert.pem'): HostTrustFile => ({
  path: target,
  target,
  format: 'pem',
  content,
});
const java: HostTrustFile = {
  path: '/etc/ssl/certs/java/cacerts',
  target: '/etc/ssl/certs/java/cacerts',
  format: 'java',
  content: '',
};

describe('a replacement of a host’s file', () => {
  test('has the old content, with the authority after it', () => {
    const [file] = trustFiles(session.certificatePem, [pem(company.certificatePem)]);
    expect(file?.target).toBe('/etc/ssl/cert.pem');
    expect(textOf(file?.content)).toBe(company.certificatePem + session.certificatePem);
  });

  test('starts the authority on a line of its own', () => {
    const [file] = trustFiles(session.certificatePem, [pem(company.certificatePem.trimEnd())]);
    expect(certificatesIn(textOf(file?.content))).toHaveLength(2);
    expect(textOf(file?.content)).not.toContain('----------');
  });

  test('is the authority alone if the file was empty', () => {
    expect(textOf(trustFiles(session.certificatePem, [pem('')])[0]?.content)).toBe(session.certificatePem);
  });

  test('keeps files apart: two bundles stay two', () => {
    const files = trustFiles(session.certificatePem, [pem(company.certificatePem, '/a'), pem('', '/b')]);
    expect(files.map(({ target }) => target)).toEqual(['/a', '/b']);
    expect(files.map(({ content }) => certificatesIn(textOf(content)).length)).toEqual([2, 1]);
  });

  test('is a store of the same authorities in place of Java’s', () => {
    const files = trustFiles(session.certificatePem, [pem(company.certificatePem), java]);
    expect(files[1]).toEqual({
      target: java.target,
      content: trustStore(storeBags([company.certificateDer, session.certificateDer])),
    });
  });
});

describe('the bundle that the variables name', () => {
  test('is the host’s first bundle with a certificate', () => {
    const bundle = trustBundle(session.certificatePem, [pem('#\n', '/a'), pem(company.certificatePem, '/b')], () => []);
    expect(textOf(bundle.bundle)).toBe(company.certificatePem + session.certificatePem);
    expect(textOf(bundle.authority)).toBe(session.certificatePem);
    expect(bundle.java).toEqual(trustStore(storeBags([company.certificateDer, session.certificateDer])));
  });

  test('has the given roots on a host without a bundle', () => {
    const bundle = trustBundle(session.certificatePem, [], () => rootCertificates);
    expect(certificatesIn(textOf(bundle.bundle))).toHaveLength(rootCertificates.length + 1);
    expect(bundle.replacements).toEqual([]);
  });

  test('holds no private key', () => {
    const bundle = trustBundle(session.certificatePem, [pem(''), java], () => rootCertificates);
    for (const content of [
      bundle.bundle,
      bundle.authority,
      bundle.java,
      ...bundle.replacements.map((file) => file.content),
    ])
      expect(textOf(content)).not.toContain('PRIVATE');
  });
});

/** Prints the body of `https://localhost:PORT/`. */
const commands: Readonly<Record<string, (port: number) => readonly string[]>> = {
  curl: (port) => ['curl', '-sS', '--noproxy', '*', `https://localhost:${port}/`],
  wget: (port) => ['wget', '-q', '-O', '-', '--no-proxy', `https://localhost:${port}/`],
  python3: (port) => [
    'python3',
    '-c',
    `import urllib.request; print(urllib.request.urlopen("https://localhost:${port}/").read())`,
  ],
  openssl: (port) => [
    'openssl',
    's_client',
    '-connect',
    `localhost:${port}`,
    '-verify_hostname',
    'localhost',
    '-verify_return_error',
    '-quiet',
  ],
  node: (port) => [
    process.execPath,
    '-e',
    `require('node:https').get('https://localhost:${port}/', (answer) => answer.pipe(process.stdout))`,
  ],
  java: (port) => ['java', ...javaWords('Get', javaProgram), `https://localhost:${port}/`],
};

async function serve(): Promise<number> {
  const contextFor = leafContexts(session);
  return listen((socket) => {
    void terminateTls(socket, { host: 'localhost', alpn: ['http/1.1'], contextFor }).then((outcome) => {
      if (outcome.kind === 'secured')
        outcome.socket.once('data', () =>
          outcome.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nbelieve'),
        );
    });
  });
}

const answered = { stdout: expect.stringContaining('believe') };
const input = 'GET / HTTP/1.0\r\n\r\n';

describe('a program that runs with the variables', () => {
  // wget reads none of them: it is led by the file of the distribution, below.
  const { wget: _, ...led } = commands;
  for (const [program, command] of Object.entries(led)) {
    test.skipIf(programPath(program) === undefined)(
      `${program} trusts the authority${reason(program)}`,
      { timeout: 120_000 },
      async () => {
        const directory = scratch();
        const paths = {
          bundle: join(directory, 'bundle.pem'),
          authority: join(directory, 'authority.pem'),
          java: join(directory, 'trust.p12'),
        };
        const bundle = trustBundle(session.certificatePem, hostTrustFiles(), () => rootCertificates);
        writeFileSync(paths.bundle, bundle.bundle);
        writeFileSync(paths.authority, bundle.authority);
        writeFileSync(paths.java, bundle.java);
        const port = await serve();
        expect(await run(command(port), { input })).not.toMatchObject(answered);
        expect(await run(command(port), { input, environment: trustVariables(paths) })).toMatchObject(answered);
      },
    );
  }
});

const canMount = (await run(['unshare', '-rm', 'true'])).status === 0;
const files = hostTrustFiles();
const noMounts = `${canMount ? '' : ' (NOT TRIED: no mount namespaces here)'}${files.length > 0 ? '' : ' (NOT TRIED: this machine has no bundle)'}`;

describe(`a program that runs with the mounted files${noMounts}`, () => {
  // Node.js reads no file of the distribution unless it is told to.
  const { node: _, ...led } = commands;
  for (const [program, command] of Object.entries(led)) {
    test.skipIf(noMounts !== '' || programPath(program) === undefined)(
      `${program} trusts the authority without any variable${reason(program)}`,
      { timeout: 120_000 },
      async () => {
        const directory = scratch();
        const mounts = trustFiles(session.certificatePem, files).map(({ target, content }, index) => {
          const source = join(directory, String(index));
          writeFileSync(source, content);
          return `mount --bind ${source} ${target} &&`;
        });
        const port = await serve();
        expect(
          await run(['unshare', '-rm', 'sh', '-c', `${mounts.join(' ')} exec "$@"`, 'sh', ...command(port)], { input }),
        ).toMatchObject(answered);
      },
    );
  }
});

const createdHost = createAuthority().certificatePem;

test('a store for the same host as the last one holds its own session’s authority and no other', () => {
  const stores = [session, company].map(({ certificatePem }) =>
    Buffer.from(trustBundle(certificatePem, [pem(createdHost)], () => []).java).toString('latin1'),
  );
  const holds = (store: string, { certificateDer }: typeof session): boolean =>
    store.includes(Buffer.from(certificateDer).toString('latin1'));
  expect(stores.map((store) => [holds(store, session), holds(store, company)])).toEqual([
    [true, false],
    [false, true],
  ]);
});

const [one, other] = [createAuthority(), createAuthority()];
const keytools = javas.map((java) => java.replace(/java$/u, 'keytool'));
const noKeytool = keytools.length === 0 ? ' (NOT TRIED: there is no Java on this machine)' : '';

describe.skipIf(keytools.length === 0).each(keytools.length === 0 ? ['keytool'] : keytools)(
  `a trust store, to %s,${noKeytool}`,
  (keytool) => {
    test.each([
      ['without a password', []],
      ['with any password', ['-storepass', 'whatever']],
      ['with the password of the store that comes with Java', ['-storepass', 'changeit']],
      ['without the type', ['-storepass', 'changeit', '-J-Dkeystore.type=jks']],
    ])('opens %s and trusts both authorities', async (_, options) => {
      const store = scratchFile('trust.p12', trustStore(storeBags([one.certificateDer, other.certificateDer])));
      const { status, stdout } = await run([keytool, '-list', '-v', '-keystore', store, ...options], { input: '\n' });
      expect(status).toBe(0);
      expect(stdout.match(/trustedCertEntry/gu)).toHaveLength(2);
      for (const { certificatePem } of [one, other])
        expect(stdout).toContain(new X509Certificate(certificatePem).fingerprint256);
    });

    test('holds a whole bundle', async () => {
      const store = scratchFile('trust.p12', trustStore(storeBags(certificatesIn(rootCertificates.join('\n')))));
      const { stdout } = await run([keytool, '-list', '-keystore', store, '-storepass', 'x']);
      expect(stdout.match(/trustedCertEntry/gu)).toHaveLength(rootCertificates.length);
    });

    test('holds nothing without certificates', async () => {
      const store = scratchFile('trust.p12', trustStore(storeBags([])));
      expect((await run([keytool, '-list', '-keystore', store, '-storepass', 'x'])).stdout).toContain(
        'contains 0 entries',
      );
    });
  },
);

test.skipIf(programPath('openssl') === undefined)(
  `a trust store can be read by OpenSSL${reason('openssl')}`,
  async () => {
    const store = scratchFile('trust.p12', trustStore(storeBags([one.certificateDer, other.certificateDer])));
    const { stdout } = await run(['openssl', 'pkcs12', '-in', store, '-nokeys', '-nomacver', '-passin', 'pass:']);
    expect(certificatesIn(stdout)).toHaveLength(2);
    expect(stdout).toContain('friendlyName: holdfast-0');
    expect(stdout).toMatch(/^ +2\.16\.840\.1\.113894\.746875\.1\.1: /mu);
  },
);

const paths = { bundle: '/t/bundle.pem', authority: '/t/authority.pem', java: '/t/trust.p12' };

describe('the variables of a box', () => {
  test('name the bundle to programs that then trust nothing else, and the authority to those that add it', () => {
    expect(trustVariables(paths)).toMatchObject({
      SSL_CERT_FILE: '/t/bundle.pem',
      REQUESTS_CA_BUNDLE: '/t/bundle.pem',
      CURL_CA_BUNDLE: '/t/bundle.pem',
      GIT_SSL_CAINFO: '/t/bundle.pem',
      PIP_CERT: '/t/bundle.pem',
      CARGO_HTTP_CAINFO: '/t/bundle.pem',
      AWS_CA_BUNDLE: '/t/bundle.pem',
      NODE_EXTRA_CA_CERTS: '/t/authority.pem',
      DENO_CERT: '/t/authority.pem',
      JAVA_TOOL_OPTIONS: '-Djavax.net.ssl.trustStore=/t/trust.p12 -Djavax.net.ssl.trustStoreType=PKCS12',
    });
  });

  test('keep the existing options of Java', () => {
    expect(trustVariables(paths, '-Xmx1g')['JAVA_TOOL_OPTIONS']).toBe(
      '-Xmx1g -Djavax.net.ssl.trustStore=/t/trust.p12 -Djavax.net.ssl.trustStoreType=PKCS12',
    );
  });

  test('disable no check, and occur once', () => {
    const names = trustVariableTable.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(
      Object.keys(trustVariables(paths)).filter((name) => /VERIFY|REJECT|INSECURE|DISABLE|SKIP/u.test(name)),
    ).toEqual([]);
  });
});
