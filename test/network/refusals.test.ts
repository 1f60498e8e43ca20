import { describe, expect, test } from 'vitest';
import { backends } from '../lib/holdfast.ts';
import { answerOf, askedThrice } from './lib/asked-thrice.ts';
import { publicFile } from './lib/public-file.ts';
import { identityFor, newAuthority, secureServer, webServer } from './lib/servers.ts';
import { users, World } from './lib/world.ts';

const granted = '[network]\nhosts = ["granted.example"]';
const inspected = `${granted}\n[[http]]\nname = "read"\ndecision = "allow"\nhosts = ["granted.example"]\nmethods = ["GET"]\n`;
/** A refused client has two seconds for a request after TLS. No other client may wait that long. */
const atOnce = 1;
/** Prints a socket's result for a client that only listens, and the shortest of three times in seconds. */
const listen = (host: string, port: number): readonly string[] => [
  'python3',
  '-c',
  `
import socket, time
def heard():
    try: return socket.create_connection(('${host}', ${port}), timeout=10).recv(99)
    except OSError as error: return error.strerror or type(error).__name__
def timed():
    began = time.time()
    return heard(), time.time() - began
answers = [timed() for _ in range(3)]
print(*{answer for answer, _ in answers}, min(seconds for _, seconds in answers), sep='; ')`,
];

describe.each(backends)('a refusal is immediate, with %s', (backend) => {
  test.each([
    [
      'a name',
      'http://refused.example/',
      'connecting to refused.example:80 is refused: nothing in the policy grants it',
      'run with --host refused.example:80',
    ],
    [
      'a name on another port',
      'http://refused.example:8123/',
      'connecting to refused.example:8123 is refused',
      'run with --host refused.example:8123',
    ],
    [
      'an address',
      'http://93.184.216.34/',
      'connecting to 93.184.216.34:80 is refused',
      'run with --host 93.184.216.34:80',
    ],
    [
      'an IPv6 address',
      'http://[2606:2800:220:1::1]/',
      'connecting to [2606:2800:220:1::1]:80 is refused',
      'run with --host',
    ],
    ['a metadata service', 'http://169.254.169.254/latest/', 'connecting to 169.254.169.254:80 is refused', ''],
    [
      'an address that no name was given',
      'http://198.18.77.77/',
      '198.18.77.77 belongs to no name of this session',
      'look the name up again',
    ],
  ])('HTTP to %s is answered 403', async (...[, url, reason, remedy]) => {
    const world = new World({ policy: granted });
    const outcome = await world.inside(askedThrice(url), { backend });
    const { status, seconds } = answerOf(outcome.stdout);
    expect([status, outcome.stdout.includes(reason), outcome.stdout.includes(remedy)]).toEqual(['403', true, true]);
    expect(seconds).toBeLessThan(atOnce);
    expect(outcome.stderr).toContain(`holdfast: ${reason}`);
    const why = await world.holdfast(['why', '--last', '1']);
    expect(why.stdout).toContain(reason);
  });

  test('TLS is answered 403 if the box trusts the session', async () => {
    const world = new World({ policy: inspected });
    const { stdout } = await world.inside(askedThrice('https://refused.example/'), { backend });
    expect(stdout).toMatch(/^Holdfast refused this request: connecting to refused\.example:443 is refused/u);
    expect(answerOf(stdout).status).toBe('403');
    expect(answerOf(stdout).seconds).toBeLessThan(atOnce);
  });

  test('TLS is ended by an alert if it does not', async () => {
    const world = new World({ policy: granted });
    const outcome = await world.inside(askedThrice('https://refused.example/'), { backend });
    expect(outcome.status).toBe(35);
    expect(outcome.stderr).toMatch(/alert access denied[^]*holdfast: connecting to refused\.example:443 is refused/u);
    expect(answerOf(outcome.stdout).seconds).toBeLessThan(atOnce);
  });

  test.each([
    ['refused.example', 22],
    ['refused.example', 65_535],
    ['93.184.216.34', 5432],
  ])('a client of %s:%i that waits for the server is reset', async (host, port) => {
    const world = new World({ policy: granted });
    const outcome = await world.run(listen(host, port), { backend });
    expect(outcome.stderr).toContain(`holdfast: connecting to ${host}:${port} is refused`);
    const [heard, seconds] = outcome.stdout.split('; ');
    expect(heard).toBe('Connection reset by peer');
    expect(Number(seconds)).toBeLessThan(atOnce);
  });

  test('a request that a rule refuses is answered 403 with the rule, over HTTP/1.1 and HTTP/2', async () => {
    const authority = newAuthority();
    const { port, accepted } = await secureServer(identityFor(authority, 'granted.example'));
    const world = new World({
      names: ['granted.example'],
      policy: `${inspected.replace('"granted.example"]', `"granted.example", "127.0.0.1:${port}"]\nca = ["${publicFile('ca.pem', authority.certificatePem)}"]`)}[[http]]\nname = "no-writes"\ndecision = "deny"\nhosts = ["granted.example"]\nreason = "read only"\n`,
    });
    for (const version of ['--http1.1', '--http2']) {
      const outcome = await world.run(
        ['curl', '-sS', version, '-d', 'x', '-w', '%{http_code}', `https://granted.example:${port}/path`],
        { backend },
      );
      expect(outcome.stdout).toMatch(
        /POST https:\/\/granted\.example:\d+\/path is refused[^]*read only[^]*Rule: no-writes[^]*403$/u,
      );
      expect(outcome.stderr).toMatch(/holdfast: POST .*\/path is refused/u);
    }
    expect(world.journal().filter(({ type, status }) => type === 'request' && status === 403)).toHaveLength(2);
    expect(accepted.length).toBeLessThanOrEqual(2);
  });
});

describe('a refusal', () => {
  test('is in the journal, with the requesting process', async () => {
    const world = new World({ policy: granted });
    await world.run(['curl', '-sS', 'http://refused.example/']);
    const [refused] = world.journal().filter(({ type }) => type === 'connection');
    expect(refused).toMatchObject({
      host: 'refused.example',
      port: 80,
      decision: 'deny',
      refusal: { code: 'policy' },
      process: { pid: expect.any(Number), program: 'curl' },
    });
    expect(refused).not.toHaveProperty('address');
  });

  test('is reported once, for any number of attempts', async () => {
    const world = new World({ policy: granted });
    const outcome = await world.inside('for i in 1 2 3; do curl -sS -o /dev/null http://refused.example/; done');
    expect(outcome.stderr.match(/is refused/gu)).toHaveLength(1);
    expect(world.journal().filter(({ type }) => type === 'refusal')).toHaveLength(3);
  });

  test('and a closed network is no network at all', async () => {
    const { port } = await webServer();
    const world = new World({ policy: '' });
    const outcome = await world.inside(
      `curl -sS http://127.0.0.1:${port}/; echo $?; curl -sS http://refused.example/; echo $?`,
    );
    expect(outcome).toMatchObject({ stdout: '7\n6\n' });
  });

  test('is allowed after the refusal’s remedy', async () => {
    const { port } = await webServer();
    const world = new World({ names: ['web.example'], policy: granted });
    const url = `http://web.example:${port}/`;
    const first = await world.run(['curl', '-sS', url]);
    const [, grant = ''] = /run with (--host \S+)/u.exec(first.stdout) ?? [];
    const second = await world.run(['curl', '-sS', url], { flags: grant.split(' ') });
    const [, address = ''] = /add "([^"]+)" to hosts under/u.exec(second.stdout) ?? [];
    const third = await world.run(['curl', '-sS', url], { flags: [...grant.split(' '), '--host', address] });
    expect([grant, address, third.stdout]).toEqual([
      `--host web.example:${port}`,
      `127.0.0.1:${port}`,
      'GET web.example /\n',
    ]);
  });
});

describe.each(users)('as %s', (user) => {
  test('a refusal is a line on stderr and an answer', async () => {
    const world = new World({ user, policy: granted });
    const outcome = await world.run(['curl', '-sS', 'http://refused.example/']);
    expect(outcome.stdout).toContain('Holdfast refused this request');
    expect(outcome.stderr).toContain('holdfast: connecting to refused.example:80 is refused');
    expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([
      { process: { program: 'curl' } },
    ]);
  });
});
