import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { dealt } from '../scripts/testing/extent.ts';
import { Sandbox, type Approve, type CommandResult } from '../src/sandbox/index.ts';
import { openSession, planBox } from '../src/session/session.ts';
import { startBox } from '../src/session/running-box.ts';
import { backends, Project } from './lib/holdfast.ts';

function ruled(policy: string): Project {
  const project = new Project();
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy}`);
  project.write('script.sh', '#!/bin/sh\ngit --version\n');
  return project;
}

function sandboxOf(project: Project, approve?: Approve): Promise<Sandbox> {
  const environment = {
    ...project.environment,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
  return Sandbox.create({ workspace: project.workspace, environment, ...(approve === undefined ? {} : { approve }) });
}

interface Asking {
  readonly approve: Approve;
  /** Runs `direct git --version` for each request. */
  readonly asked: string[];
}

function asking(answer: 'allow' | 'deny'): Asking {
  const asked: string[] = [];
  return {
    asked,
    approve: ({ request }) =>
      Promise.resolve(
        (asked.push(request.kind === 'exec' ? `${request.context} ${request.argv.join(' ')}` : request.kind), answer),
      ),
  };
}

const textOf = ({ stdout, stderr }: Pick<CommandResult, 'stdout' | 'stderr'>): string =>
  `${stdout.toString()}${stderr.toString()}`;
const askGit = '[commands]\nask = ["git --version"]\n';
const direct = ['sh', '-c', 'echo before; git --version'];
const nested = ['sh', 'script.sh'];

describe('a refused command', () => {
  test('does not start', async () => {
    using project = ruled('[commands]\ndeny = ["git"]\n');
    await using sandbox = await sandboxOf(project);
    await expect(sandbox.commands.run(direct)).rejects.toMatchObject({
      code: 'HF_COMMAND_REFUSED',
      details: { rule: 'commands.deny[0]', words: ['git', '--version'] },
    });
    expect(() => sandbox.commands.start(['git', 'status'])).toThrow(
      expect.objectContaining({ code: 'HF_COMMAND_REFUSED' }) as Error,
    );
    expect(textOf(await sandbox.commands.run(['sh', '-c', 'echo fine']))).toBe('fine\n');
  });

  test('does not exist for a script’s programs', async () => {
    using project = ruled('[commands]\ndeny = ["git"]\n');
    await using sandbox = await sandboxOf(project);
    const result = await sandbox.commands.run(nested);
    // Shells report a file that nobody may execute differently.
    expect([126, 127]).toContain(result.exitCode);
    expect(textOf(result)).toContain('Permission denied');
    expect(result.refusals).toMatchObject([
      { request: { kind: 'exec', context: 'nested' }, verdict: { rule: 'commands.deny[0]' } },
    ]);
    expect(textOf(await sandbox.commands.run(['cp', '/usr/bin/git', 'copy']))).toContain('Permission denied');
  });
});

describe('a command that needs approval', () => {
  test.each([
    ['direct', direct, 'direct git --version'],
    ['nested', nested, 'nested git --version'],
  ] as const)('%s causes one question, and runs after the approval', async (_, argv, question) => {
    using project = ruled(askGit);
    const { approve, asked } = asking('allow');
    await using sandbox = await sandboxOf(project, approve);
    // The second one runs in a box that the supervisor built before it knew the rule.
    for (let times = 1; times <= 2; times += 1) {
      expect(textOf(await sandbox.commands.run(argv))).toContain('git version');
      expect(asked).toEqual(Array.from({ length: times }, () => question));
    }
  });

  test('does not start after a denial', async () => {
    using project = ruled(askGit);
    const { approve, asked } = asking('deny');
    await using sandbox = await sandboxOf(project, approve);
    await expect(sandbox.commands.run(direct)).rejects.toMatchObject({
      code: 'HF_COMMAND_REFUSED',
      message: expect.stringContaining('it was denied when asked') as string,
    });
    expect(asked).toEqual(['direct git --version']);
  });

  test('is refused within a box after a denial, with one question for all of PATH', async () => {
    using project = ruled(askGit);
    const { approve, asked } = asking('deny');
    await using sandbox = await sandboxOf(project, approve);
    expect(await sandbox.commands.run(nested)).toMatchObject({ exitCode: 126 });
    expect(asked).toEqual(['nested git --version']);
  });

  test('is refused without an approver', async () => {
    using project = ruled(askGit);
    await using sandbox = await sandboxOf(project);
    await expect(sandbox.commands.run(direct)).rejects.toMatchObject({
      message: expect.stringContaining('nobody was there to ask') as string,
    });
    expect(await sandbox.commands.run(nested)).toMatchObject({ exitCode: 126 });
  });

  test('gets its input when it starts', async () => {
    using project = ruled('[commands]\nask = ["sort"]\n');
    await using sandbox = await sandboxOf(project, asking('allow').approve);
    const large = Array.from({ length: 50_000 }, (_, index) => `${99_999 - index}\n`).join('');
    const { stdout } = await sandbox.commands.run(['sort'], { input: large });
    expect(stdout.toString().split('\n').slice(0, 2)).toEqual(['50000', '50001']);
  });

  test('does not start in a sandbox that is closed in the meantime', async () => {
    using project = ruled(askGit);
    let answer: (decision: 'allow') => void = () => undefined;
    const sandbox = await sandboxOf(project, () => new Promise((resolve) => (answer = resolve)));
    const handle = sandbox.commands.start(direct);
    await sandbox.close();
    answer('allow');
    await expect(handle.ended).rejects.toMatchObject({
      code: 'HF_COMMAND_REFUSED',
      message: expect.stringContaining('the session has ended') as string,
    });
  });
});

test('a program named by the policy is refused after a change of its file during the session', async () => {
  using project = ruled('');
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[files]\nread = ["${project.home}/tools"]\n[commands]\nask = ["named --force"]\n`,
  );
  const put = (text: string): void => {
    project.write('../home/tools/new', `#!/bin/sh\necho ${text}\n`);
    chmodSync(join(project.home, 'tools/new'), 0o755);
    renameSync(join(project.home, 'tools/new'), join(project.home, 'tools/named'));
  };
  put('one');
  project.write('script.sh', '#!/bin/sh\nnamed\n');
  const environment = {
    ...project.environment,
    PATH: `${join(project.home, 'tools')}:/usr/bin:/bin`,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment });
  expect(textOf(await sandbox.commands.run(nested))).toBe('one\n');
  put('two');
  const changed = await sandbox.commands.run(nested);
  expect(changed).toMatchObject({
    exitCode: 126,
    refusals: [{ verdict: { message: expect.stringContaining('has changed since this session began') as string } }],
  });
});

describe('rules that change a command', () => {
  test('run another one instead', async () => {
    using project = ruled(
      '[[exec]]\nname = "r"\ndecision = "redirect"\ncommands = ["head"]\nredirect_to = ["tail", "{args}"]\n',
    );
    await using sandbox = await sandboxOf(project);
    project.write('lines', '1\n2\n3\n');
    expect(textOf(await sandbox.commands.run(['head', '-n', '1', 'lines']))).toBe('3\n');
    expect(textOf(await sandbox.commands.run(['sh', '-c', 'head -n 1 lines; echo done']))).toBe('3\ndone\n');
  });

  test('give it variables', async () => {
    using project = ruled(
      '[[exec]]\nname = "e"\ndecision = "allow"\ncommands = ["printenv"]\nenv = { GREETING = "it\'s me" }\n',
    );
    await using sandbox = await sandboxOf(project);
    expect(textOf(await sandbox.commands.run(['printenv', 'GREETING']))).toBe("it's me\n");
    expect(textOf(await sandbox.commands.run(['sh', '-c', 'printenv GREETING; echo "[$GREETING]"']))).toBe(
      "it's me\n[]\n",
    );
  });
});

describe('git in a repository that names a program', () => {
  const hostile = (policy: string): Project => {
    const project = ruled(policy);
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-C', project.workspace, ...words], {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], HOME: project.home },
      });
    git('init', '-q');
    project.write('canary', '#!/bin/sh\necho sang >> sang\n');
    chmodSync(join(project.workspace, 'canary'), 0o755);
    project.write('file', 'one\n');
    git('add', '.');
    for (const key of ['core.fsmonitor', 'diff.external']) git('config', key, './canary');
    project.write('file', 'two\n');
    return project;
  };
  const sang = (project: Project): boolean => existsSync(join(project.workspace, 'sang'));
  const lines = [
    ['git', 'status', '--short'],
    ['git', 'diff'],
    ['sh', '-c', 'git status --short; git diff'],
  ];

  test.each(lines)('is run by git without rules about commands: %s %s %s', async (...argv) => {
    using project = hostile('');
    await using sandbox = await sandboxOf(project);
    await sandbox.commands.run(argv);
    expect(sang(project)).toBe(true);
  });

  test.each(
    dealt(
      [
        ...lines.map((argv) => ['[commands]\ndeny = ["curl"]\n', argv] as const),
        ...lines.map((argv) => ['[commands]\nallow = ["sh", "git status", "git diff"]\n', argv] as const),
      ],
      2,
    ),
  )('is not run with one, and the output is the same: %s %j', async (policy, argv) => {
    using project = hostile(policy);
    await using sandbox = await sandboxOf(project);
    // The second one runs in a box that the supervisor built before it knew the rule.
    for (let times = 1; times <= 2; times += 1) {
      const result = await sandbox.commands.run(argv);
      expect(textOf(result)).toMatch(/AM file|\+two/u);
      expect(result.exitCode).toBe(0);
      expect(sang(project)).toBe(false);
    }
  });
});

describe('a list of all allowed commands', () => {
  const list = '[commands]\nallow = ["sh", "cat", "/usr/bin/env"]\nunknown = "allow"\n';

  test.each([
    ['live', {}],
    ['staged', { staged: 'new' }],
  ] as const)(
    'does not affect files, and applies to commands of a %s sandbox, in each of its boxes',
    async (_, more) => {
      using project = ruled(list);
      const environment = {
        ...project.environment,
        XDG_CONFIG_HOME: join(project.home, '.config'),
        XDG_STATE_HOME: join(project.home, '.local/state'),
      };
      await using sandbox = await Sandbox.create({ workspace: project.workspace, environment, ...more });
      await sandbox.files.write('made', 'text');
      expect((await sandbox.files.read('made')).toString()).toBe('text');
      for (let times = 1; times <= 2; times += 1) {
        expect(textOf(await sandbox.commands.run(['cat', 'made']))).toBe('text');
        expect(await sandbox.commands.run(['sh', '-c', 'cat made; env cat made'])).toMatchObject({
          exitCode: 0,
          refusals: [],
        });
        expect(() => sandbox.commands.start(['ls'])).toThrow(
          expect.objectContaining({ code: 'HF_COMMAND_REFUSED' }) as Error,
        );
      }
      expect(await sandbox.commands.run(nested)).toMatchObject({
        exitCode: 126,
        refusals: [{ verdict: { rule: 'commands.allow.default' } }],
      });
      const handle = sandbox.commands.start(['cat']);
      handle.stdin.end('from stdin');
      expect((await handle.stdout.toArray()).join('')).toBe('from stdin');
      expect(await handle.ended).toMatchObject({ exitCode: 0 });
    },
  );

  // The supervisor lets the first program of a box pass, because it was judged at its entry. Here nothing judged it.
  test.each(
    backends.flatMap(
      (backend) =>
        [
          [backend, '[]'],
          [backend, '["no-such-program"]'],
          [backend, '["cat"]'],
        ] as const,
    ),
  )('is enforced by the kernel alone, even if its programs are missing (%s, %s)', async (backend, listed) => {
    using project = ruled(`[commands]\nallow = ${listed}\n`);
    const session = await openSession({ cwd: project.workspace, backend, environment: project.libraryEnvironment });
    const start = (...argv: readonly string[]) =>
      startBox(session, planBox(session, { argv }), { stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' }).ended;
    copyFileSync('/usr/bin/true', join(project.workspace, 'copy'));
    for (const argv of [['true'], ['/usr/bin/true'], ['./copy']])
      await expect(start(...argv)).rejects.toMatchObject({ message: `${argv[0]}: cannot be executed (EACCES)` });
  });

  test.each(['[]', '["cat"]'])('excludes programs that Holdfast itself starts: %s', async (listed) => {
    using project = ruled(`[commands]\nallow = ${listed}\n`);
    await using sandbox = await sandboxOf(project);
    await sandbox.files.write('made', 'text');
    expect((await sandbox.files.read('made')).toString()).toBe('text');
    expect(project.holdfast(['doctor']).stdout).not.toContain('does not work: true');
  });
});

test('under a limit of classes only reading commands start without a question', async () => {
  using project = ruled('[commands]\nask_above = "reads"\ndeny_above = "changes the machine"\n');
  const { approve, asked } = asking('allow');
  await using sandbox = await sandboxOf(project, approve);
  expect(textOf(await sandbox.commands.run(['sh', '-c', 'ls | cat']))).toContain('script.sh');
  expect(asked).toEqual([]);
  await sandbox.commands.run(['sh', '-c', 'ls; touch made']);
  expect(asked).toEqual(['direct sh -c ls; touch made']);
  expect(existsSync(join(project.workspace, 'made'))).toBe(true);
  await expect(sandbox.commands.run(['sh', '-c', 'rm -rf "$X" made'])).rejects.toMatchObject({
    code: 'HF_COMMAND_REFUSED',
    details: { rule: 'commands.deny_above' },
  });
  expect(existsSync(join(project.workspace, 'made'))).toBe(true);
});
