import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { javaWords } from '../tls/testing/compiled.ts';

interface Ran {
  readonly status: number | null;
  readonly output: string;
  /** `TYPE name outcome` of each, sorted: programs ask in whatever order. */
  readonly lookups: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-dns-'));
const configuration = join(folder, 'resolv.conf');
const box = join(import.meta.dirname, 'testing/box.ts');
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program beside the resolver, where the resolver is the only name server there is. */
function run(command: readonly string[], { refused = 'nxdomain', options = '' } = {}): Ran {
  writeFileSync(configuration, `nameserver 127.0.0.1\noptions timeout:2 attempts:1 ${options}\n`);
  // Without an address beside 127.0.0.1, the C library looks nothing up for who asks for IPv4 with AI_ADDRCONFIG.
  const script =
    'ip link set lo up && ip address add 198.18.0.1/32 dev lo && mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const stdout = execFileSync(
    'unshare',
    ['-Urnm', 'sh', '-ec', script, configuration, process.execPath, '--no-warnings', box, refused, ...command],
    { encoding: 'utf8', timeout: 60_000 },
  );
  const ran = JSON.parse(stdout) as Ran;
  return { ...ran, lookups: ran.lookups.toSorted() };
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const namespaces =
  spawnSync('unshare', ['-Urnm', 'sh', '-c', 'ip link set lo up && mount --bind /etc/hosts /etc/resolv.conf'])
    .status === 0;
if (!namespaces)
  console.warn('skipped: programs beside the resolver, because this host allows no user namespaces or has no ip(8)');

/** A program may leave AAAA out where there is no IPv6; nothing else may be asked for. */
const answered = (name: string): RegExp => new RegExp(`^A ${name} answered(?:\nAAAA ${name} no-data)?$`, 'u');
const refused = (name: string): RegExp => new RegExp(`^A ${name} refused(?:\nAAAA ${name} refused)?$`, 'u');
const all = ({ lookups }: Ran): string => lookups.join('\n');

describe.skipIf(!namespaces)('with the resolver of the C library', { timeout: 90_000 }, () => {
  test('an allowed name has one address', () => {
    const ran = run(['getent', 'ahosts', 'example.com']);
    expect({ status: ran.status, addresses: [...new Set(ran.output.match(/^\S+/gmu))] }).toEqual({
      status: 0,
      addresses: ['198.18.0.2'],
    });
    expect(all(ran)).toMatch(answered('example.com'));
  });

  test.each(['use-vc', 'edns0', 'edns0 trust-ad', 'single-request', 'single-request-reopen', 'no-aaaa', 'ndots:5'])(
    'with options %s as well',
    (options) => {
      const { output, lookups } = run(['getent', 'ahosts', 'a.example.org'], { options });
      expect(output).toMatch(/^198\.18\.0\.2\s/u);
      expect(lookups).toContain('A a.example.org answered');
    },
  );

  test('a refused name does not exist, at once', () => {
    // Anyone who had to wait for its time-out would wait for longer than it may run.
    const ran = run(['getent', 'ahosts', 'secret.evil.test'], { options: 'timeout:30 attempts:5' });
    expect(ran).toMatchObject({ status: 2, output: '' });
    expect(all(ran)).toMatch(refused('secret.evil.test'));
  });

  test('a refused name that explains itself has an address', () => {
    const { output, lookups } = run(['getent', 'ahostsv4', 'evil.test'], { refused: 'explain' });
    expect(output).toMatch(/^198\.18\.0\.2\s/u);
    expect(lookups).toEqual(['A evil.test explained']);
  });

  test('a program can ask for IPv4 only, where the machine has it', () => {
    expect(run(['getent', 'ahostsv4', 'example.com'])).toMatchObject({
      status: 0,
      lookups: ['A example.com answered'],
    });
  });

  test('localhost needs no look-up, or is loopback', () => {
    expect(run(['getent', 'ahosts', 'x.localhost']).output).toMatch(/^(?:127\.0\.0\.1|::1)\s/u);
  });

  test('an unassigned address has no name', () => {
    expect(run(['getent', 'hosts', '198.18.77.7'])).toMatchObject({
      status: 2,
      lookups: ['PTR 7.77.18.198.in-addr.arpa no-such-name'],
    });
  });
});

const python = `
import socket
print(sorted({a[4][0] for a in socket.getaddrinfo("example.com", 443)}), socket.gethostbyaddr("198.18.0.2")[0])
try: socket.getaddrinfo("evil.test", 443)
except socket.gaierror as error: print(error.errno == socket.EAI_NONAME)
`;
const node = `
const dns = require('node:dns');
dns.lookup('example.com', { all: true }, (_, found) => {
  dns.lookup('evil.test', (lookup) => {
    dns.resolve4('example.com', (_, addresses) => {
      dns.resolveTxt('c2VjcmV0.evil.test', (text) => console.log(JSON.stringify([found, lookup.code, addresses, text.code])));
    });
  });
});
`;
const java = `
import java.net.InetAddress;
class Names {
  public static void main(String[] names) throws Exception {
    System.out.println(InetAddress.getByName("example.com").getHostAddress());
    try { InetAddress.getByName("evil.test"); } catch (java.net.UnknownHostException error) { System.out.println("unknown"); }
  }
}
`;

describe.skipIf(!namespaces)('programs understand the answers:', { timeout: 90_000 }, () => {
  test.skipIf(!has('curl'))('curl', () => {
    const allowed = run(['curl', '-sS', '--max-time', '25', 'http://example.com/']);
    expect(allowed).toMatchObject({ status: 7, output: expect.stringContaining('connect') });
    expect(all(allowed)).toMatch(answered('example.com'));
    const denied = run(['curl', '-sS', '--max-time', '25', 'http://evil.test/']);
    expect(denied).toMatchObject({ status: 6, output: expect.stringContaining('Could not resolve host: evil.test') });
    expect(all(denied)).toMatch(refused('evil.test'));
  });

  test.skipIf(!has('python3'))('Python', () => {
    expect(run(['python3', '-c', python]).output).toBe("['198.18.0.2'] example.com\nTrue\n");
  });

  test('Node, by the C library and by its own resolver', () => {
    const { output, lookups } = run([process.execPath, '-e', node]);
    expect(JSON.parse(output)).toEqual([
      [{ address: '198.18.0.2', family: 4 }],
      'ENOTFOUND',
      ['198.18.0.2'],
      'ENOTFOUND',
    ]);
    expect(lookups).toContain('TXT c2vjcmv0.evil.test refused');
  });

  test.skipIf(!has('java'))('Java', () => {
    expect(run(['java', ...javaWords('Names', java)]).output).toBe('198.18.0.2\nunknown\n');
  });
});
