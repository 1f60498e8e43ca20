import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../src/cluster/types.ts';
import { attackInPod, cachePassword, podProblem, PodScene } from '../scripts/container/pod/scene.ts';

const problem = podProblem();
if (problem !== '') console.warn(`kube play: SKIPPED: ${problem}`);
const playable = test.skipIf(problem !== '');

let opened: PodScene | undefined;
beforeAll(async () => {
  if (problem === '') opened = await PodScene.open();
}, 300_000);
afterAll(async () => opened?.[Symbol.asyncDispose](), 120_000);

function scene(): PodScene {
  if (opened === undefined) throw new Error('no pods');
  return opened;
}

/** Plays the pod of a command and runs it to its end. */
function run(script: string, options: readonly string[] = []) {
  scene().player.play(scene().render([...options, '--', 'sh', '-c', script]));
  return scene().player.command();
}

playable('the command runs in a closed pod, and its status and streams come out', () => {
  const { status, stdout, stderr } = run('id -u; echo "$((1 + 1)) $$"; echo told >&2; exit 7');
  expect({ status, stdout, stderr }).toEqual({
    status: 7,
    stdout: expect.stringMatching(/^1000\n2 \d+\n$/u),
    stderr: 'told\n',
  });
});

playable('the box is the native one, in a container without rights', () => {
  const { stdout } = run('cat /proc/self/status; touch /etc/x /x; cat /proc/mounts; ls -d /var/run/secrets; ls /proc');
  expect(stdout).toMatch(/CapEff:\t0+\n/u);
  expect(stdout).toMatch(/CapBnd:\t0+\n/u);
  expect(stdout).toMatch(/NoNewPrivs:\t1\n/u);
});

playable('the policy file of a user holds in the pod, below a home that a kubelet opens for everybody', () => {
  const { player } = scene();
  const asked = 'curl -sS -m 5 http://test.example/asked; curl -sS -m 5 http://other.example/';
  player.play(scene().render(['--', 'sh', '-c', asked], 'version = 1\n[network]\nhosts = ["test.example:80"]\n'));
  const { stdout } = player.command();
  expect(stdout).toContain('GET test.example /asked\n');
  expect(stdout).toContain('connecting to other.example:80 is refused');
});

const realKey = 'example_live_7Hq2mVx9Lk4TzB6w';
const keyed = `version = 1
[network]
hosts = ["test.example", "other.example"]
[[http]]
name = "no-guide"
hosts = ["other.example"]
paths = ["/guide"]
decision = "deny"
[[credentials]]
name = "example"
source = { env = "REAL_KEY" }
hosts = ["test.example"]
inject = { kind = "bearer" }
environment = ["EXAMPLE_TOKEN"]
files = [{ path = "~/.netrc", format = "netrc" }]
base_urls = ["EXAMPLE_URL=/v1"]
`;
const secret: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'agent-keys', namespace: 'default', labels: {} },
  data: { example: Buffer.from(realKey).toString('base64') },
};

playable('a key stays with the supervisor, and the box has a phantom of it', () => {
  const { player } = scene();
  const key = '-H "Authorization: Bearer $EXAMPLE_TOKEN"';
  const script = [
    'echo "has ${EXAMPLE_TOKEN:?}"',
    `curl -sS -i -m 10 ${key} https://test.example/v1/account`,
    'echo "$EXAMPLE_URL: $(curl -sS -m 10 -H "Authorization: Bearer $EXAMPLE_TOKEN" "$EXAMPLE_URL/account")"',
    'echo "is the phantom: $(grep -c "password $EXAMPLE_TOKEN" ~/.netrc)"',
    `curl -sS -m 10 ${key} https://other.example/elsewhere`,
    'curl -sS -m 10 https://other.example/guide',
    'curl -sS -m 10 https://other.example/other',
    'env; cat /run/holdfast-way/proxy.env /proc/*/environ',
  ].join('; ');
  const rendered = scene().render(['--secret', 'example=agent-keys/example', '--', 'sh', '-c', script], keyed);
  player.play([secret, ...rendered], scene().trusting);
  // Control: the key is in the pod, with the supervisor.
  expect(player.exec('supervisor', ['sh', '-c', 'echo "$REAL_KEY"']).stdout).toBe(`${realKey}\n`);
  const { stdout, stderr } = player.command();
  expect(stdout, stderr).toContain('hello dev\n');
  expect(stdout).toMatch(/^x-key: \*+\r$/mu);
  expect(stdout).toContain('http://example.credentials.holdfast/v1: hello dev\n');
  expect(stdout).toContain('is the phantom: 1\n');
  expect(stdout).toContain('holds the phantom of the credential "example"');
  expect(stdout).toMatch(/GET https:\/\/other\.example:443\/guide is refused/u);
  expect(stdout).toContain('GET other.example /other\n');
  expect(stdout + stderr).not.toContain('example_live_');
  expect(JSON.stringify(player.inspect('command'))).not.toContain('example_live_');
});

const cached = `version = 1
[network]
hosts = ["test.example:6379"]
[[credentials]]
name = "cache"
source = { env = "REAL_PASSWORD" }
hosts = ["test.example:6379"]
inject = { kind = "redis", mode = "read-write", tls = "disable" }
environment = ["REDIS_URL=redis://default:{phantom}@test.example:6379"]
`;
/** Logs in as its URL says, and asks for one key. */
const client = `const { password, hostname } = new URL(process.env.REDIS_URL);
const socket = require('net').connect(6379, process.argv[1] ?? hostname, () => socket.write('AUTH ' + password + '\\r\\nGET a\\r\\n'));
let text = ''; socket.on('data', (bytes) => { text += bytes; if (/value|-WRONG/.test(text)) socket.end(); }).on('error', (error) => console.log(error.code));
socket.on('close', () => console.log(password + ' ' + text));`;

playable(
  'a database gets the password from the supervisor, and the box has a phantom',
  { timeout: 120_000 },
  async () => {
    const { player } = scene();
    const data = { cache: Buffer.from(cachePassword).toString('base64') };
    const script = `node -e '${client.replaceAll("'", `'"'"'`)}'; env; cat /run/holdfast-way/proxy.env`;
    const rendered = scene().render(['--secret', 'cache=agent-keys/cache', '--', 'sh', '-c', script], cached);
    player.play([{ ...secret, data }, ...rendered]);
    // Control: the password is in the pod, with the supervisor.
    expect(player.exec('supervisor', ['sh', '-c', 'echo "$REAL_PASSWORD"']).stdout).toBe(`${cachePassword}\n`);
    const { stdout, stderr } = player.command();
    expect(stdout).toMatch(/^\S+ \+OK\r\n\+value of a\r\n\n/u);
    expect(stdout + stderr).not.toContain(cachePassword);
    // The supervisor writes it after its answer to the client.
    const told = () => player.exec('supervisor', ['holdfast', 'audit', 'show']).stdout;
    await expect.poll(told, { timeout: 20_000 }).toMatch(/"type":"statement".*"text":"GET a"/iu);
  },
);

/** A second program in the same container has the rights of a command that left its box. */
const beside = `sleep 600`;

playable('the container of the command has no capability, no token, no secret and a read-only root', () => {
  scene().player.play(scene().render(['--host', 'test.example', '--', 'sh', '-c', beside]));
  scene().player.podman(['start', 'holdfast-command']);
  const look = (container: string, script: string) => scene().player.exec(container, ['sh', '-c', script]);
  const status = look('command', 'cat /proc/self/status').stdout;
  for (const kind of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
    expect(status).toMatch(new RegExp(`Cap${kind}:\\t0+\\n`, 'u'));
  expect(status).toMatch(/NoNewPrivs:\t1\n(?:.*\n)*Seccomp:\t2\n/u);
  expect(look('command', 'id -u; id -g; id -G').stdout).toBe('1000\n1000\n1000\n');
  expect(look('command', 'touch /x /etc/x /usr/x; ls /var/run/secrets').stderr).toMatch(
    /'\/x': Read-only.*\n.*'\/etc\/x': Read-only.*\n.*'\/usr\/x': Read-only.*\n.*No such file/u,
  );
  // Attack: if the way were writable for the command, it would choose another proxy.
  expect(look('command', 'echo x > /run/holdfast-way/other').stderr).toMatch(/Read-only file system/u);
  // Attack: the command's container reads the supervisor's state, or the supervisor itself.
  expect(look('supervisor', 'echo key > $HOME/key; cat $HOME/key').stdout).toBe('key\n');
  expect(look('command', 'cat $HOME/key; ls $HOME/.local/state/holdfast').stderr).toMatch(/No such file/u);
  expect(look('command', 'cat /proc/[0-9]*/cmdline | tr "\\\\0" " "').stdout).not.toContain('holdfast proxy');
});

const fetch = (url: string, direct = ''): string => `curl -sS -m 5 ${direct} ${url}; `;

playable('packets leave a pod through the supervisor alone', () => {
  const direct = "--noproxy '*'";
  const { stdout } = run(fetch('http://test.example/asked') + fetch('http://other.example/'), [
    '--host',
    'test.example',
  ]);
  expect(stdout).toContain('GET test.example /asked\n');
  expect(stdout).toContain('connecting to other.example:80 is refused');
  scene().player.play(scene().render(['--host', 'test.example', '--', 'sh', '-c', beside]));
  scene().player.podman(['start', 'holdfast-command']);
  const from = (container: string) =>
    scene().player.exec(container, ['sh', '-c', fetch('http://93.184.216.34/beside', direct)]);
  // Control: the supervisor's user gets out by the same way.
  expect(from('supervisor').stdout).toBe('GET 93.184.216.34 /beside\n');
  expect(from('command')).toMatchObject({ stdout: '', stderr: expect.stringMatching(/timed out|Failed to connect/u) });
});

const decided = `version = 1
[network]
hosts = ["test.example"]
[[http]]
name = "never"
hosts = ["test.example"]
paths = ["/never"]
decision = "deny"
`;

playable('a supervisor that starts again gives the box of before no network', { timeout: 120_000 }, async () => {
  const { player } = scene();
  const get = (path: string): string => `curl -sS -m 10 http://test.example/${path}`;
  const script = `${get('before')}; while [ ! -e go ]; do sleep 0.1; done; ${get('after')}; echo over`;
  const rendered = scene().render(['--', 'sh', '-c', script], decided);
  player.play(rendered);
  const command = player.startCommand();
  let output = '';
  command.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await expect.poll(() => output, { timeout: 30_000 }).toContain('GET test.example /before\n');
  const look = (container: string, words: string) => player.exec(container, ['sh', '-c', words]);
  const way = '/run/holdfast-way/proxy.env';
  const first = look('supervisor', `cat ${way}`).stdout;
  expect(player.podman(['restart', '--time', '2', 'holdfast-supervisor']).status).toBe(0);
  await expect
    .poll(() => look('supervisor', `test -s ${way} && cat ${way}`).stdout, { timeout: 30_000 })
    .toMatch(/PROXY/u);
  expect(look('supervisor', `cat ${way}`).stdout).not.toBe(first);
  // Control: a box that starts now reaches the same server.
  const enter = `. ${way} && exec holdfast run --read /run/holdfast-way/trust --workspace "$PWD" -- ${get('again')}`;
  expect(look('command', enter)).toMatchObject({ stdout: 'GET test.example /again\n' });
  look('command', 'touch go');
  await expect.poll(() => output, { timeout: 30_000 }).toContain('over\n');
  expect(output).not.toContain('/after\n');
  expect(look('supervisor', 'holdfast audit verify').status).toBe(0);
  await expect
    .poll(() => look('supervisor', 'holdfast audit show').stdout)
    .toMatch(/"path":"\/before"[^]*"path":"\/again"/u);
});

const asks = `version = 1
[[connect]]
name = "ask-first"
hosts = ["test.example:80"]
decision = "ask"
`;

/** Lines of JSON that a program prints. */
function linesOf(child: ChildProcess): readonly Readonly<Record<string, unknown>>[] {
  const lines: Record<string, unknown>[] = [];
  let rest = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    const parts = `${rest}${bytes.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part) as Record<string, unknown>));
  });
  return lines;
}

playable(
  'a person answers the supervisor, and nothing in the command’s container does',
  { timeout: 120_000 },
  async () => {
    const { player } = scene();
    player.play(scene().render(['--', 'sh', '-c', 'curl -sS -m 40 http://test.example/asked'], asks));
    const relay = player.startIn('supervisor', ['holdfast', 'approvals', 'relay']);
    const heard = linesOf(relay);
    await expect.poll(() => heard.map(({ kind }) => kind), { timeout: 20_000 }).toEqual(['ready']);
    const command = player.startCommand();
    let output = '';
    command.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
    await expect.poll(() => heard.at(-1)?.['kind'], { timeout: 30_000 }).toBe('asked');
    const { hash, id, title } = (heard.at(-1)?.['approval'] ?? {}) as Readonly<Record<string, string>>;
    expect(title).toContain('test.example:80');
    const look = (container: string, script: string) => player.exec(container, ['sh', '-c', script]);
    // Attack: a program that left its box answers for the person. Control: the supervisor's container has the question.
    const sockets = 'ls "$HOME/.local/state/holdfast/run/approvals" 2>&1; holdfast approvals list';
    expect(look('supervisor', sockets).stdout).toContain(id);
    expect(look('command', sockets).stdout).not.toContain(id);
    expect(look('command', `holdfast approvals allow ${id} --once`).stderr).toContain('no waiting approval has the ID');
    expect(output).toBe('');
    relay.stdin?.write(`${JSON.stringify({ kind: 'answer', number: 1, hash, decision: 'once' })}\n`);
    await expect.poll(() => output, { timeout: 30_000 }).toBe('GET test.example /asked\n');
    expect(heard).toContainEqual({ kind: 'answered', number: 1, result: { kind: 'taken' } });
    const journal = () => player.exec('supervisor', ['holdfast', 'audit', 'show']).stdout;
    expect(journal()).toMatch(/"type":"approval\.resolved".*"decision":"once"/u);
    // A connection is written with others, a quarter of a second after its end.
    await expect.poll(journal).toMatch(/"type":"connection".*"host":"test\.example"/u);
    relay.stdin?.end();
  },
);

const boxAsks = `version = 1
[[file]]
name = "ask-notes"
paths = ["notes"]
operations = ["read"]
decision = "ask"
`;

playable('a person answers the questions of a box, and nothing in the box does', { timeout: 120_000 }, async () => {
  const { player } = scene();
  const sockets = 'ls "$HOME/.local/state/holdfast/run/approvals" 2>&1; holdfast approvals list 2>&1';
  const script = [
    'mkdir notes && echo secret > notes/a.txt && touch made',
    'while [ ! -e go ]; do sleep 0.1; done',
    `(while [ ! -e asked ]; do sleep 0.1; done; echo "in the box: $(${sockets})"; touch looked) &`,
    'cat notes/a.txt; wait',
  ].join('\n');
  player.play(scene().render(['--', 'sh', '-c', script], boxAsks));
  const command = player.startCommand();
  let output = '';
  for (const stream of [command.stdout, command.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const look = (words: string) => player.exec('command', ['sh', '-c', words]);
  await expect.poll(() => look('ls made').stdout + output, { timeout: 30_000 }).toBe('made\n');
  const relay = player.startIn('command', ['holdfast', 'approvals', 'relay']);
  const heard = linesOf(relay);
  await expect.poll(() => heard.map(({ kind }) => kind), { timeout: 20_000 }).toEqual(['ready']);
  look('touch go');
  await expect.poll(() => heard.at(-1)?.['kind'], { timeout: 30_000 }).toBe('asked');
  const { hash, id = '', title } = (heard.at(-1)?.['approval'] ?? {}) as Readonly<Record<string, string>>;
  expect(title).toContain('notes/a.txt');
  // Attack: the box looks for its own question. Control: outside the box, the same words show it.
  expect(look(sockets).stdout).toContain(id);
  look('touch asked');
  await expect.poll(() => look('ls looked').stdout, { timeout: 30_000 }).toBe('looked\n');
  await expect.poll(() => output, { timeout: 10_000 }).toMatch(/^in the box: /u);
  expect(output).not.toContain(id);
  expect(output).not.toContain('secret');
  relay.stdin?.write(`${JSON.stringify({ kind: 'answer', number: 1, hash, decision: 'once' })}\n`);
  await expect.poll(() => output, { timeout: 30_000 }).toContain('secret\n');
  expect(heard).toContainEqual({ kind: 'answered', number: 1, result: { kind: 'taken' } });
  relay.stdin?.end();
});

playable('the proof of `cluster doctor --prove` holds in the command’s container', { timeout: 600_000 }, () => {
  const { player } = scene();
  player.play(scene().render(['--host', 'test.example', '--', 'sh', '-c', beside]));
  player.podman(['start', 'holdfast-command']);
  const escape = ['holdfast', 'cluster', 'probe', 'escape'];
  const tried = JSON.parse(player.exec('command', escape).stdout) as readonly Readonly<Record<string, string>>[];
  expect(tried.map(({ attempt, result }) => `${attempt} ${result}`)).toEqual([
    'raw-socket stopped',
    'token stopped',
    'root-file-system stopped',
    'root stopped',
  ]);
  const report = player.exec('command', ['holdfast', 'doctor', '--prove', '--json']);
  const { verdict, proofs } = JSON.parse(report.stdout) as {
    readonly verdict: string;
    readonly proofs: readonly Readonly<Record<string, string>>[];
  };
  const escaped = proofs.filter(({ promised, result }) => promised === 'kernel' && result === 'escaped');
  expect({ verdict, escaped }).toEqual({ verdict: 'holds', escaped: [] });
  expect(proofs.filter(({ backend, result }) => backend === 'native' && result === 'held').length).toBeGreaterThan(10);
});

const families =
  process.env['HOLDFAST_EXTENT'] === 'whole' ? 'fs-read-*,fs-write-*,git-hook*' : 'git-hooks-*,fs-read-home-secret';

playable('attacks are blocked in the container of the command', { timeout: 900_000 }, () => {
  const { totals, results } = attackInPod(scene(), [
    '--backend',
    'native,landlock',
    '--cases',
    '1',
    '--only',
    families,
  ]);
  expect(results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
  expect(totals.passed).toBeGreaterThan(0);
  const blockedOn = (backend: string) =>
    results.some((one) => one.backend === backend && one.outcome.kind === 'passed');
  expect(['native', 'landlock'].filter(blockedOn)).toEqual(['native', 'landlock']);
});
