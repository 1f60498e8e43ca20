import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backends } from '../lib/holdfast.ts';
import { listening, tcpServer, tellRequest, webServer } from './lib/servers.ts';
import { outcomeOf, World } from './lib/world.ts';

const name = 'web.example';

function code(url: string, ...words: readonly string[]): readonly string[] {
  return ['curl', '-sS', '-o', '/dev/null', '-w', '%{http_code}', ...words, url];
}

describe.each(backends)('rules that change while a box runs, with %s', (backend) => {
  test('the next connection follows the new policy, a broken one refuses everything with the reason, and a corrected one applies again', async () => {
    const { port } = await webServer();
    const grants = `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]`;
    const world = new World({ names: [name, 'late.example'], policy: grants });
    const visits = (host: string): string => `curl -sS http://${host}:${port}/ | head -1`;
    const child = world.start([
      'run',
      '--backend',
      backend,
      '--',
      'sh',
      '-c',
      `while :; do ${visits(name)}; ${visits('late.example')}; sleep 0.05; done`,
    ]);
    const seen = watch(child);
    await seen.line(new RegExp(`^GET ${name} /$`, 'u'));
    await seen.line(/connecting to late\.example:\d+ is refused: nothing in the policy grants it/u);
    world.setPolicy(grants.replace(name, 'late.example'));
    await seen.line(/^GET late\.example \/$/u);
    await seen.line(/connecting to web\.example:\d+ is refused/u);
    world.setPolicy('[network');
    await seen.line(/the policy was changed and is now invalid, so nothing is allowed: .*policy\.toml/u);
    world.setPolicy(grants);
    await seen.line(new RegExp(`^GET ${name} /$`, 'u'));
    const ended = outcomeOf(child);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 143 });
  });
});

describe('deny sets', () => {
  test('refuse a wildcard’s grants, in every layer', async () => {
    const { port, accepted } = await webServer();
    const world = new World({
      names: ['good.example', 'bad.example', 'worse.example'],
      policy: `[network]\nhosts = ["*.example", "127.0.0.1:${port}"]\ndeny = ["bad.example"]`,
    });
    world.write('holdfast.toml', 'version = 1\n[network]\ndeny = ["worse.example"]\n');
    const outcome = await world.inside(
      ['good', 'bad', 'worse']
        .map((host) => `curl -sS -o /dev/null -w '%{http_code} ' http://${host}.example:${port}/`)
        .join('; '),
    );
    expect(outcome).toMatchObject({ status: 0, stdout: '200 403 403 ' });
    expect(outcome.stderr).toMatch(
      /bad\.example:\d+ is refused[^]*network\.deny[^]*worse\.example:\d+ is refused[^]*network\.deny/u,
    );
    expect(accepted).toHaveLength(1);
  });

  test('a project narrows: hosts that only it omits are refused', async () => {
    const { port } = await webServer();
    const world = new World({
      names: ['a.example', 'b.example'],
      policy: `[network]\nhosts = ["a.example", "b.example", "127.0.0.1:${port}"]`,
    });
    world.write('holdfast.toml', `version = 1\n[network]\nhosts = ["a.example", "127.0.0.1:${port}", "c.example"]\n`);
    const outcome = await world.inside(
      ['a', 'b', 'c']
        .map((host) => `curl -sS -o /dev/null -w '%{http_code} ' http://${host}.example:${port}/`)
        .join('; '),
    );
    expect(outcome).toMatchObject({ stdout: '200 403 403 ' });
  });
});

describe('rules about requests with refusals only', () => {
  // Attack: a repository's rule about requests made the supervisor look up and dial every name that the box requested
  // over TLS.
  test.each(['user', 'project'])('of the %s open no connection to their hosts', async (layer) => {
    const { port, accepted } = await tcpServer(() => undefined);
    const rule = '[[http]]\nname = "r"\ndecision = "deny"\nhosts = ["*.evil.example"]\n';
    const world = new World({
      names: ['secret.evil.example'],
      policy: `[network]\nhosts = ["127.0.0.1:${port}"]\n${layer === 'user' ? rule : ''}`,
    });
    if (layer === 'project') world.write('holdfast.toml', `version = 1\n${rule}`);
    const outcome = await world.run(['curl', '-sSk', `https://secret.evil.example:${port}/`]);
    expect(outcome.stdout).toContain('Holdfast refused');
    expect(accepted).toEqual([]);
  });
});

describe('redirects', () => {
  test('of a rule about connections lead to another target, and the journal has both hosts', async () => {
    const { port } = await tcpServer((socket) => void socket.end('stand-in'));
    const world = new World({
      policy: `[network]\nhosts = ["127.0.0.1:${port}"]\n[[connect]]\nname = "local-db"\ndecision = "redirect"\nredirect_to = "127.0.0.1:${port}"\nhosts = ["db.example"]\nports = [5432]\n`,
    });
    const reading = (target: number): string =>
      `python3 -c "import socket; s = socket.create_connection(('db.example', ${target})); s.send(b'?'); print(s.recv(99))"`;
    expect(await world.inside(reading(5432))).toMatchObject({ status: 0, stdout: "b'stand-in'\n" });
    expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([
      { host: 'db.example', port: 5432, address: '127.0.0.1', decision: 'redirect', rule: 'local-db' },
    ]);
    expect(await world.inside(reading(5433))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ConnectionResetError'),
    });
  });

  test('to an ungranted target are refused', async () => {
    const { port, accepted } = await tcpServer((socket) => void socket.end('stand-in'));
    const world = new World({
      policy: `[network]\nhosts = ["x.example"]\n[[connect]]\nname = "local-db"\ndecision = "redirect"\nredirect_to = "127.0.0.1:${port}"\nhosts = ["db.example"]\n`,
    });
    const outcome = await world.run(code('http://db.example/'));
    expect([outcome.stdout, accepted]).toEqual(['403', []]);
  });
});

describe("services on the host's loopback", () => {
  test.each(['127.0.0.1', '::1'])('are reached by every spelling if they listen on %s', async (address) => {
    const { port } = await listening(createServer(tellRequest), { host: address });
    const world = new World({ policy: `[network]\nhosts = ["localhost:${port}"]` });
    const urls = [`http://localhost:${port}/`, `http://127.0.0.1:${port}/`, `http://[::1]:${port}/`];
    const outcome = await world.run(['curl', '-sS', ...urls]);
    expect(outcome).toMatchObject({ status: 0, stdout: 'GET localhost /\nGET 127.0.0.1 /\nGET [::1] /\n' });
  });

  test('stay unreachable on other ports, where the box has its own services', async () => {
    const { port } = await webServer();
    const { port: other, accepted } = await webServer();
    const world = new World({ policy: `[network]\nhosts = ["localhost:${port}"]` });
    const own = `python3 -m http.server --bind 127.0.0.1 ${other} >/dev/null 2>&1 & until curl -sf -o /dev/null http://localhost:${other}/; do sleep 0.05; done`;
    const outcome = await world.inside(
      `curl -sS http://localhost:${other}/; echo $?; ${own}; curl -sS -o /dev/null -w '%{http_code} ' http://127.0.0.1:${other}/; curl -sS http://127.0.0.1:${port}/`,
    );
    expect(outcome).toMatchObject({ stdout: '7\n200 GET 127.0.0.1 /\n' });
    expect(accepted).toEqual([]);
  });

  test('a name of loopback does not reach it', async () => {
    const { port, accepted } = await webServer();
    const world = new World({ names: [name], policy: `[network]\nhosts = ["${name}"]` });
    const outcome = await world.run(['curl', '-sS', `http://${name}:${port}/`]);
    expect(outcome.stdout).toMatch(/127\.0\.0\.1[^]*Remedy: .*127\.0\.0\.1/u);
    expect(accepted).toEqual([]);
  });
});

describe('names in the box', () => {
  const policy = (port: number, dns: string): string =>
    `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]\ndns = "${dns}"`;

  test('have addresses of the benchmarking range, different in each session', async () => {
    const { port } = await webServer();
    const world = new World({ names: [name], policy: policy(port, 'fake') });
    const addresses = [
      await world.run(['getent', 'ahostsv4', name]),
      await world.run(['getent', 'ahostsv4', name]),
    ].map(({ stdout }) => stdout.split(' ')[0] ?? '');
    for (const address of addresses) expect(address).toMatch(/^198\.1[89]\./u);
    expect(addresses[0]).not.toBe(addresses[1]);
  });

  test('dns = "real": an address of loopback is the host’s, and belongs to no name', async () => {
    const { port } = await webServer();
    const world = new World({ names: [name], policy: policy(port, 'real') });
    expect(
      await world.inside(`getent ahostsv4 ${name} | head -1 | cut -d ' ' -f 1; curl -sS http://${name}:${port}/`),
    ).toMatchObject({ stdout: `127.0.0.1\nGET ${name} /\n` });
    expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([
      { host: '127.0.0.1', front: 'loopback', address: '127.0.0.1' },
    ]);
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .find((info) => info?.family === 'IPv4' && !info.internal)?.address;

  test.skipIf(own === undefined)(
    `dns = "real": any other address is the host's, and the name is still known${own === undefined ? ' (NOT TRIED: this machine has none)' : ''}`,
    async () => {
      const { port } = await listening(createServer(tellRequest), { host: own ?? '' });
      const world = new World({
        policy: `[network]\nhosts = ["${name}", "${own}:${port}"]\ndns = "real"`,
        files: { '/etc/hosts': `127.0.0.1 localhost\n${own} ${name}\n` },
      });
      expect(
        await world.inside(`getent ahostsv4 ${name} | head -1 | cut -d ' ' -f 1; curl -sS http://${name}:${port}/`),
      ).toMatchObject({ stdout: `${own}\nGET ${name} /\n` });
      expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([{ host: name, address: own }]);
    },
  );
});

interface Watched {
  /** Resolves when the next matching line arrives, after earlier matches. */
  line(pattern: RegExp): Promise<void>;
}

const patience = 10_000;

function watch(child: ChildProcess): Watched {
  const lines: string[] = [];
  let rest = '';
  let heard = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      heard();
    });
  }
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${String(pattern)} did not come; last: ${lines.slice(-5).join('\n')}`)),
          patience,
        );
        heard = () => {
          const at = lines.findIndex((line) => pattern.test(line));
          if (at < 0) return;
          clearTimeout(timer);
          lines.splice(0, at + 1);
          heard = () => undefined;
          resolve();
        };
        heard();
      }),
  };
}
