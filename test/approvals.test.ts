import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf } from '../scripts/testing/processes.ts';
import type { PendingApproval } from '../src/approvals/index.ts';
import { readEvents } from '../src/audit/index.ts';
import { Sandbox } from '../src/sandbox/index.ts';
import { asked, type Running, running, waiting, watching } from './lib/approvals.ts';
import { backends, binary, has, Project } from './lib/holdfast.ts';

function ruled(policy: string): Project {
  const project = new Project();
  onTestFinished(() => project[Symbol.dispose]());
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy.replaceAll('$WS', project.workspace)}`);
  return project;
}

const start = (project: Project, args: readonly string[]): Running => running(project.start(args));

const python = has('python3');
if (!python)
  console.warn(
    'SKIPPED: approvals of connections to Unix sockets, because python3 is not installed (Debian: apt-get install python3)',
  );

interface Point {
  readonly policy: string;
  readonly argv: readonly string[];
  readonly title: RegExp;
  readonly allowed: RegExp;
  readonly denied: RegExp;
}

const points: Readonly<Record<string, Point>> = {
  'a command': {
    policy: '[commands]\nask = ["git --version"]\n',
    argv: ['git', '--version'],
    title: /git --version/u,
    allowed: /git version/u,
    denied: /it was denied when asked.*\[HF_COMMAND_REFUSED\]/su,
  },
  'a nested program': {
    policy: '[commands]\nask = ["git --version"]\n',
    argv: ['sh', 'script.sh'],
    title: /git --version/u,
    allowed: /git version/u,
    denied: /it was denied when asked/u,
  },
  'a file that is written': {
    policy: '[[file]]\nname = "notes"\ndecision = "ask"\noperations = ["write", "create"]\npaths = ["$WS/notes"]\n',
    argv: ['sh', '-c', 'echo x > notes; echo "status=$?"'],
    title: /notes/u,
    allowed: /status=0/u,
    denied: /status=[12]\n.*it was denied when asked/su,
  },
  'a signal': {
    policy: '[[signal]]\nname = "s"\ndecision = "ask"\nsignals = ["SIGKILL"]\n',
    argv: ['sh', '-c', 'sleep 30 & kill -9 $! 2> /dev/null || kill $!; wait $!; echo "status=$?"'],
    title: /SIGKILL/u,
    allowed: /status=137/u,
    denied: /status=143/u,
  },
  ...(python
    ? {
        'a Unix socket': {
          policy:
            '[sockets]\nallow = ["$WS/service"]\n[[socket]]\nname = "s"\ndecision = "ask"\naddresses = ["$WS/service"]\noperations = ["connect"]\n',
          argv: [
            'python3',
            '-c',
            'import socket\ns=socket.socket(socket.AF_UNIX)\ntry:\n  s.connect("service"); print("status=connected")\nexcept OSError as e: print("status=" + type(e).__name__)',
          ],
          title: /service/u,
          allowed: /status=connected/u,
          denied: /status=PermissionError/u,
        },
      }
    : {}),
};

async function serviceIn(project: Project): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(join(project.workspace, 'service'), resolve));
}

describe.each(Object.entries(points))('%s', { timeout: 120_000 }, (_, point) => {
  test.each(['allow', 'deny'] as const)('is answered from another process with %s', async (answer) => {
    const project = ruled(point.policy);
    project.write('script.sh', 'git --version\n');
    await serviceIn(project);
    await watching(project);
    const run = start(project, ['run', '--', ...point.argv]);
    const { id, hash, title } = await asked(project);
    expect(title).toMatch(point.title);
    const { stdout, stderr, status } = project.holdfast(['approvals', answer, id]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(title);
    await run.status;
    expect(run.printed()).toMatch(answer === 'allow' ? point.allowed : point.denied);
    const resolved = readEvents(join(project.state, 'journal.jsonl')).flatMap((event) =>
      event.type === 'approval.resolved' && event.hash === hash ? [event] : [],
    );
    expect(resolved).toMatchObject([{ decision: answer === 'allow' ? 'once' : 'deny', channel: 'terminal' }]);
    expect(readdirSync(join(project.state, 'run/approvals'))).toEqual([]);
  });
});

describe('answers', { timeout: 120_000 }, () => {
  const policy = '[commands]\nask = ["git --version"]\n';
  const twice = ['run', '--', 'sh', 'script.sh'];

  test('once covers one request, and a session covers all equal ones', async () => {
    const project = ruled(policy);
    project.write('script.sh', 'git --version\ngit --version\n');
    await watching(project);
    const once = start(project, twice);
    const first = await asked(project);
    expect(project.holdfast(['approvals', 'allow', first.id, '--once']).status).toBe(0);
    const second = await asked(project);
    expect(second.hash).toBe(first.hash);
    expect(project.holdfast(['approvals', 'allow', second.id, '--session']).status).toBe(0);
    expect(await once.status).toBe(0);
    const session = start(project, twice);
    const third = await asked(project);
    expect(third.hash).not.toBe(first.hash);
    expect(project.holdfast(['approvals', 'allow', third.id, '--session']).status).toBe(0);
    expect(await session.status).toBe(0);
  });

  test('always shows and writes a rule, and the next session does not ask', async () => {
    const project = ruled('[[signal]]\nname = "s"\ndecision = "ask"\nsignals = ["SIGKILL"]\n');
    // A shell that learns of a killed job before it waits for it reports that on stderr.
    const argv = ['run', '--', 'sh', '-c', 'sleep 30 & kill -9 $!; wait $! 2> /dev/null; echo "status=$?"'];
    await watching(project);
    const run = start(project, argv);
    const { id, always } = await asked(project);
    const rule = always?.text ?? 'no rule was shown';
    expect(rule).toContain('SIGKILL');
    const { stdout, status } = project.holdfast(['approvals', 'allow', id, '--always']);
    expect(status).toBe(0);
    expect(stdout).toContain(rule);
    await run.status;
    expect(run.printed()).toContain('status=137');
    expect(readFileSync(join(project.home, '.config/holdfast/policy.toml'), 'utf8')).toContain(rule);
    const again = project.holdfast(argv);
    expect(again).toMatchObject({ status: 0, stdout: 'status=137\n' });
    expect(again.stderr).not.toContain('approval');
  });

  test.each([
    [['allow', 'abc'], 125, /one ID, or its first four or more digits/u],
    [['allow', 'nothexa'], 125, /one ID/u],
    [['deny'], 125, /one ID/u],
    [['allow', 'abcd', '--once', '--always'], 125, /--once and --always cannot be combined/u],
    [['allow', 'abcd', '--code', '12'], 125, /six digits/u],
    [['allow', '0123456789ab'], 1, /no waiting approval has the ID 0123456789ab/u],
    [['allow', '0123456789a'], 125, /expected all 12 digits of the ID/u],
    [['allow', '0123456789a', '--session'], 125, /expected all 12 digits of the ID/u],
    [['deny', '0123'], 1, /no waiting approval has the ID 0123/u],
    [['list', 'x'], 125, /takes no words/u],
    [['answer'], 125, /approvals has no action "answer"/u],
  ])('%j is refused', (words, status, message) => {
    const ended = ruled('').holdfast(['approvals', ...words]);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(message);
  });

  test('watch prints requests as they come and go, as JSON', async () => {
    const project = ruled(policy);
    const watch = await watching(project);
    const run = start(project, ['run', '--', 'git', '--version']);
    const { id } = await asked(project);
    expect(project.holdfast(['approvals', 'deny', id]).stdout).toMatch(
      /^denied: run .*\nto allow it later: .* change commands\.ask/u,
    );
    await run.status;
    const changes = await vi.waitFor(
      () => {
        const lines = watch.printed().trim().split('\n');
        expect(lines).toHaveLength(2);
        return lines.map((line) => JSON.parse(line) as { readonly kind: string; readonly approval: PendingApproval });
      },
      { timeout: 20_000 },
    );
    expect(changes.map(({ kind, approval }) => [kind, approval.id])).toEqual([
      ['asked', id],
      ['resolved', id],
    ]);
  });

  test('no pending requests', () => {
    const project = ruled('');
    expect(project.holdfast(['approvals', 'list']).stdout).toBe(
      'No approvals are waiting. Watch for them: holdfast approvals watch\n',
    );
    expect(waiting(project)).toEqual([]);
  });
});

describe('without an answer', { timeout: 120_000 }, () => {
  test('a question is denied after its time', async () => {
    const project = ruled('[approvals]\ntimeout = "1s"\n[commands]\nask = ["git --version"]\n');
    await watching(project);
    const run = start(project, ['run', '--', 'git', '--version']);
    expect(await run.status).toBe(125);
    expect(run.printed()).toContain('nobody answered within 1 s, so it was denied');
  });

  test('without an approver the request is denied at once, and the session leaves nothing', () => {
    const project = ruled('[commands]\nask = ["git --version"]\n');
    // A request waits for five minutes. A waiting process ends earlier.
    const { status, stderr } = project.holdfast(['run', '--', 'git', '--version']);
    expect(status).toBe(125);
    expect(stderr).toContain('nobody was there to ask, so it was denied');
    expect(readdirSync(join(project.state, 'run/approvals'))).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends a session that waits before the start of its command',
    async (signal) => {
      const project = ruled('[commands]\nask = ["git --version"]\n');
      await watching(project);
      const run = start(project, ['run', '--', 'git', '--version']);
      await asked(project);
      run.child.kill(signal);
      expect(await run.status).toBe(125);
      expect(run.printed()).toContain('the session has ended, so it was denied');
    },
  );

  test('a killed session leaves a socket, which the next look-up removes', async () => {
    const project = ruled('[commands]\nask = ["git --version"]\n');
    const watch = await watching(project);
    const run = start(project, ['run', '--', 'git', '--version']);
    await asked(project);
    // Node, which serves the front.
    for (const pid of childrenOf(run.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
    await run.status;
    await vi.waitFor(() => expect(watch.printed()).toContain('"kind":"lost"'), { timeout: 20_000 });
    expect(waiting(project)).toEqual([]);
    expect(readdirSync(join(project.state, 'run/approvals'))).toEqual([]);
  });
});

const strace = has('strace');
if (!strace)
  console.warn(
    'SKIPPED: what a run loads that asks nothing, because strace is not installed (Debian: apt-get install strace)',
  );

test.skipIf(!strace)('a run without questions loads no approval code, and makes no socket', () => {
  const project = ruled('[commands]\nask = ["git push"]\n');
  const log = join(project.root, 'opened');
  const { status } = spawnSync('strace', ['-f', '-e', 'trace=openat', '-o', log, binary, 'run', '--', 'true'], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const opened = readFileSync(log, 'utf8');
  expect(opened).toContain('cli/command-guard.cjs');
  expect(opened).not.toContain('open-approvals');
  expect(existsSync(join(project.state, 'run'))).toBe(false);
});

test('a program answers its sandbox’s requests', { timeout: 120_000 }, async () => {
  const project = ruled('[commands]\nask = ["git --version"]\n');
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
  const seen: string[] = [];
  const answering = (async () => {
    for await (const { kind, approval } of sandbox.approvals.changes()) {
      seen.push(`${kind} ${approval.title}`);
      if (kind === 'asked') sandbox.approvals.answer({ hash: approval.hash, decision: 'once' });
    }
  })();
  const { exitCode, stdout } = await sandbox.commands.run(['git', '--version']);
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('git version')]);
  await sandbox.close();
  await answering;
  expect(seen).toEqual([expect.stringMatching(/^asked .*git --version/u), expect.stringMatching(/^resolved/u)]);
});

test.each(backends)(
  'a box of the %s backend does not see the sockets, even in a directory that appears later',
  async (backend) => {
    const project = ruled('[commands]\nask = ["git --version"]\n');
    await watching(project);
    const run = start(project, [
      'run',
      '--backend',
      backend,
      '--read',
      '/run',
      '--',
      'sh',
      '-c',
      `git --version; find / -xdev -path '*approvals*' -type s 2> /dev/null; ls -la ${project.state}/run/approvals`,
    ]);
    const { id } = await asked(project);
    project.holdfast(['approvals', 'allow', id, '--session']);
    await run.status;
    expect(run.printed()).toContain('git version');
    expect(run.printed()).not.toMatch(/srw/u);
  },
);

/** Processes with this `XDG_RUNTIME_DIR` look for sessions there. */
const listening = String.raw`
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind('run/holdfast/approvals/x')
s.listen()
print('listens', flush=True)
s.settimeout(20)
print('heard', s.accept()[0].recv(200), flush=True)
`;

test.skipIf(!python)(
  'a box that listens at the sessions’ address receives nothing, and no one is asked',
  { timeout: 120_000 },
  async () => {
    const project = ruled('');
    mkdirSync(join(project.workspace, 'run/holdfast/approvals'), { recursive: true, mode: 0o700 });
    const box = start(project, ['run', '--', 'python3', '-c', listening]);
    await vi.waitFor(() => expect(box.printed()).toContain('listens'), { timeout: 20_000 });
    const { stdout, status } = spawnSync(binary, ['approvals', 'list'], {
      cwd: project.workspace,
      env: { ...project.environment, XDG_RUNTIME_DIR: join(project.workspace, 'run') },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, 'No approvals are waiting. Watch for them: holdfast approvals watch\n']);
    await box.status;
    expect(box.printed()).toContain("heard b''");
  },
);
