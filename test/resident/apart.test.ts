import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Begun, ResidentProject } from '../lib/resident.ts';

let project: ResidentProject;
let server: Server;
let port: number;
const heard: unknown[] = [];
beforeAll(async () => {
  server = createServer(
    (request, response) => void response.end(`arrived ${heard.push(request.headers.authorization)}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  project = new ResidentProject();
  project.serve();
  project.write('told.sh', `${own}; echo ready; while read -r line; do eval "$line" 2>&1; echo "done $?"; done`);
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[network]\nhosts = ["localhost:${port}"]\n[[credentials]]\nname = "a"\nsource = { env = "A_SECRET" }\nhosts = ["localhost:${port}"]\ntransport = "plain"\ninject = { kind = "bearer" }\nenvironment = ["A_TOKEN"]\n`,
  );
});
afterAll(() => {
  server.close();
  project[Symbol.dispose]();
});

const own =
  'echo "phantom $A_TOKEN"; echo "authority $(md5sum < /run/holdfast/trust/authority.pem)"; echo "address $(getent ahostsv4 elsewhere.example | head -1 | cut -d" " -f1)"';

/** A session that shows its own data, and then obeys its input line by line. */
function open(secret: string, flags: readonly string[] = []): Promise<Begun> {
  const run = project.begin(['run', ...flags, '--', 'sh', 'told.sh'], { environment: { A_SECRET: secret } });
  return run.said('ready');
}

async function tell(run: Begun, line: string): Promise<string> {
  const before = run.stdout.length;
  run.process.stdin?.write(`${line}\n`);
  await expect.poll(() => run.stdout.slice(before)).toMatch(/done \d+\n/u);
  return run.stdout.slice(before);
}

const ownOf = ({ stdout }: Begun): Record<string, string> =>
  Object.fromEntries(stdout.split('\n').map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)]));

test('sessions of one supervisor share neither phantoms, authorities, addresses, grants nor secrets', async () => {
  const starts = project.starts.length;
  const [one, other] = await Promise.all([
    open('secret-of-one-0123456789'),
    open('secret-of-other-0123456789', ['--host', 'granted.example']),
  ]);
  expect([one.way, other.way]).toEqual(['warm', 'warm']);
  expect(project.starts.length).toBe(starts);
  const [a, b] = [ownOf(one), ownOf(other)];
  for (const name of ['phantom', 'authority', 'address']) {
    expect(a[name], name).toMatch(/\S/u);
    expect(a[name], name).not.toBe(b[name]);
  }
  const curl = (phantom: string): string =>
    `curl -sS --max-time 10 -H "Authorization: Bearer ${phantom}" http://localhost:${port}/`;
  expect(await tell(one, curl('$A_TOKEN'))).toContain('arrived 1');
  expect(await tell(other, curl('$A_TOKEN'))).toContain('arrived 2');
  expect(heard).toEqual(['Bearer secret-of-one-0123456789', 'Bearer secret-of-other-0123456789']);
  // One session's phantom is mere text to the other: it represents no secret.
  const stolen = await tell(other, curl(a['phantom'] ?? ''));
  expect(heard.slice(2)).not.toContain('Bearer secret-of-one-0123456789');
  expect(stolen).toContain('done');
  // An address of one session means nothing in the other. A granted name belongs to one session.
  expect(await tell(one, `curl -sS --max-time 5 http://${b['address']}/`)).toContain(
    'belongs to no name of this session',
  );
  expect(await tell(one, 'curl -sS --max-time 5 http://granted.example/')).toMatch(/refused/iu);
  one.process.stdin?.end();
  await one.ended;
  // The end of one session leaves the other's data.
  expect(await tell(other, curl('$A_TOKEN'))).toMatch(/arrived \d/u);
  expect(heard.at(-1)).toBe('Bearer secret-of-other-0123456789');
  other.process.stdin?.end();
  expect(await other.ended).toEqual({ status: 0, signal: null });
});

test('prepared parts are used once', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const runs = await Promise.all([open('one-0123456789abcdef'), open('other-0123456789abcdef')]);
    for (const run of runs) {
      seen.add(ownOf(run)['authority'] ?? '').add(ownOf(run)['phantom'] ?? '');
      run.process.stdin?.end();
    }
    await Promise.all(runs.map(({ ended }) => ended));
  }
  expect(seen.size).toBe(24);
});

test('rules of one run do not apply to another running one', async () => {
  const one = await open('one-0123456789abcdef');
  const file = project.write('holdfast.toml', 'version = 1\n[commands]\ndeny = ["git"]\n');
  const other = await open('other-0123456789abcdef');
  expect(await tell(one, 'git --version')).toMatch(/done 0/u);
  expect(await tell(other, 'git --version')).toMatch(/done 12[67]/u);
  writeFileSync(file, 'version = 1\n');
  expect(await tell(other, 'git --version')).toMatch(/done 12[67]/u);
  for (const run of [one, other]) run.process.stdin?.end();
  await Promise.all([one.ended, other.ended]);
  // It came during a box, so it may be quarantined by now.
  rmSync(file, { force: true });
});
