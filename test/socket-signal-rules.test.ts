import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox, type Approve } from '../src/sandbox/index.ts';
import { has, Project } from './lib/holdfast.ts';

function ruled(policy: string): Project {
  const project = new Project();
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy.replaceAll('$WS', project.workspace)}`);
  return project;
}

interface Run {
  readonly exitCode: number;
  readonly signal: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly refusals: readonly string[];
}

async function run(project: Project, argv: readonly string[], approve?: Approve): Promise<Run> {
  const environment = {
    ...project.environment,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment,
    ...(approve === undefined ? {} : { approve }),
  });
  const { exitCode, signal, stdout, stderr, refusals } = await sandbox.commands.run(argv);
  return {
    exitCode,
    signal,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    refusals: refusals.map(
      ({ request, verdict }) =>
        `${request.kind === 'signal' ? `${request.signal} ${request.target}` : request.kind === 'socket' ? `${request.operation} ${request.address.replace(project.workspace, '')}` : request.kind} ${verdict.rule}`,
    ),
  };
}

const shell = (script: string): readonly string[] => ['sh', '-c', script];

describe('signals', () => {
  const rule = (decision: string, more: string): string =>
    `[[signal]]\nname = "s"\ndecision = "${decision}"\n${more}\n`;

  test('a denied signal does not arrive, and another one does', async () => {
    using project = ruled(rule('deny', 'signals = ["SIGKILL"]\ntargets = ["child"]'));
    const { stdout, refusals } = await run(
      project,
      shell('sleep 30 & kill -9 $! || echo refused; kill -0 $! && echo alive; kill $!; wait $!; echo $?'),
    );
    expect(stdout).toBe('refused\nalive\n143\n');
    expect(refusals).toEqual(['SIGKILL child s']);
  });

  test('a redirected signal arrives as the other one', async () => {
    using project = ruled(rule('redirect', 'redirect_to = "SIGTERM"\nsignals = ["KILL"]'));
    const { stdout, refusals } = await run(project, shell('sleep 30 & kill -9 $!; wait $!; echo $?'));
    expect([stdout, refusals]).toEqual(['143\n', []]);
  });

  test.each([
    ['allow', '137\n'],
    ['deny', '143\n'],
  ] as const)('a signal that asks, with the answer %s', async (answer, expected) => {
    using project = ruled(rule('ask', 'signals = ["SIGKILL"]'));
    const { stdout } = await run(
      project,
      shell('sleep 30 & kill -9 $! 2>/dev/null || kill $!; wait $!; echo $?'),
      async () => answer,
    );
    expect(stdout).toBe(expected);
  });

  test('self, child and box differ', async () => {
    using project = ruled(rule('deny', 'signals = ["SIGUSR1"]\ntargets = ["box"]'));
    const { stdout } = await run(
      project,
      shell(
        'trap "echo self" USR1; kill -USR1 $$; sleep 30 & child=$!; until grep -q sleep /proc/$child/comm; do :; done; (kill -USR1 $child) || echo not a sibling; kill -USR1 $child && wait $child; echo $?',
      ),
    );
    expect(stdout).toBe('self\nnot a sibling\n138\n');
  });
});

const python = has('python3') ? test : test.skip;
const connect = (path: string): string =>
  `import socket\ns=socket.socket(socket.AF_UNIX)\ntry:\n  s.connect(${JSON.stringify(path)}); s.sendall(b"hi"); print(s.recv(9).decode())\nexcept OSError as e: print(type(e).__name__)`;

/** A service of the host. */
async function listening(path: string): Promise<AsyncDisposable & { readonly heard: () => number }> {
  let heard = 0;
  const server = createServer((socket) => {
    heard += 1;
    socket.on('error', () => undefined).on('data', () => socket.end('host'));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { heard: () => heard, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

describe(`sockets${has('python3') ? '' : ' (skipped: python3 is not here)'}`, () => {
  const on = '[[socket]]\nname = "s"\ndecision = "deny"\naddresses = ["$WS/denied"]\n';

  python('of the box are its own, by path and by abstract name; a denied one is refused', async () => {
    using project = ruled(on);
    const script = `
import socket, os, threading
def talk(address, kind=socket.SOCK_STREAM):
    server = socket.socket(socket.AF_UNIX, kind); server.bind(address); client = socket.socket(socket.AF_UNIX, kind)
    if kind == socket.SOCK_DGRAM:
        client.sendto(b'd' * 9000, address); client.sendmsg([b'a', b'b'], [], 0, address); client.connect(address); client.send(b'c'); client.sendmsg([b'e'])
        return [len(server.recv(10000)) for _ in range(4)]
    server.listen(); client.connect(address); client.sendall(b'x'); return server.accept()[0].recv(1)
os.umask(0o077)
print(talk('in-workspace'), oct(os.stat('in-workspace').st_mode & 0o777), talk('/tmp/private'), talk(b'\\0abstract'), talk('datagram', socket.SOCK_DGRAM))
a, b = socket.socketpair(); a.sendmsg([b'x']); print(b.recv(1))
t = socket.create_server(('127.0.0.1', 0)); socket.create_connection(t.getsockname()); print('tcp')
try: talk('denied')
except PermissionError: print('denied', os.path.exists('denied'))`;
    const { stdout, stderr, refusals } = await run(project, ['python3', '-c', script]);
    expect(stderr).toBe('');
    expect(stdout).toBe("b'x' 0o700 b'x' b'x' [9000, 2, 1, 1]\nb'x'\ntcp\ndenied False\n");
    expect(refusals).toEqual(['bind /denied s']);
  });

  python('of the host that appear later are not reached unless they are granted', async () => {
    using project = ruled(`${on}[sockets]\nallow = ["$WS/granted"]\n`);
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: {
        ...project.environment,
        XDG_CONFIG_HOME: join(project.home, '.config'),
        XDG_STATE_HOME: join(project.home, '.local/state'),
      },
    });
    const running = sandbox.commands.start([
      'python3',
      '-c',
      `import sys\nsys.stdin.readline()\n${connect(join(project.workspace, 'later'))}\n${connect(join(project.workspace, 'granted'))}`,
    ]);
    const printed: Buffer[] = [];
    running.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await using later = await listening(join(project.workspace, 'later'));
    await using granted = await listening(join(project.workspace, 'granted'));
    running.stdin.end('go\n');
    await running.ended;
    expect(Buffer.concat(printed).toString()).toBe('PermissionError\nhost\n');
    expect([later.heard(), granted.heard()]).toEqual([0, 1]);
  });

  python.each([
    { decision: 'ask', answer: 'allow', printed: 'host\n', times: 1 },
    { decision: 'ask', answer: 'deny', printed: 'PermissionError\n', times: 0 },
    { decision: 'audit', answer: 'deny', printed: 'host\n', times: 1 },
  ] as const)(
    'that are there already, with $decision and the answer $answer',
    async ({ decision, answer, printed, times }) => {
      using project = ruled(`[[socket]]\nname = "s"\ndecision = "${decision}"\naddresses = ["$WS/name"]\n`);
      await using service = await listening(join(project.workspace, 'name'));
      const { stdout } = await run(project, ['python3', '-c', connect('name')], async () => answer);
      expect([stdout, service.heard()]).toEqual([printed, times]);
    },
  );

  python('a redirected connection reaches the other', async () => {
    using project = ruled(
      `[sockets]\nallow = ["$WS/real"]\n[[socket]]\nname = "s"\ndecision = "redirect"\nredirect_to = "$WS/real"\naddresses = ["$WS/name"]\n`,
    );
    await using real = await listening(join(project.workspace, 'real'));
    const { stdout, stderr } = await run(project, ['python3', '-c', connect(join(project.workspace, 'name'))]);
    expect([stdout, stderr, real.heard()]).toEqual(['host\n', '', 1]);
  });
});
