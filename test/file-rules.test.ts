import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox, type Approve } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

/**
 * A project of a user with these rules. The library takes its directories from the environment, not from the home of
 * the test's own user.
 */
function ruled(policy: string): Project {
  const project = new Project();
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy}`);
  return project;
}

function environmentOf(project: Project): NodeJS.ProcessEnv {
  return {
    ...project.environment,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
}

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly refusals: readonly string[];
}

/** Runs a script under the user's rules. `approve` answers the requests. */
async function run(project: Project, script: string, approve?: Approve): Promise<Run> {
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: environmentOf(project),
    ...(approve === undefined ? {} : { approve }),
  });
  const result = await sandbox.commands.run(['sh', '-c', script]);
  const refusals = result.refusals.map(({ request, verdict }) =>
    request.kind === 'file'
      ? `${request.operation} ${request.path.slice(project.workspace.length + 1)} ${verdict.rule}`
      : request.kind,
  );
  return { exitCode: result.exitCode, stdout: result.stdout.toString(), stderr: result.stderr.toString(), refusals };
}

function rule(decision: string, paths: readonly string[], more = ''): string {
  return `[[file]]\nname = "r-${decision}"\ndecision = "${decision}"\npaths = ${JSON.stringify(paths)}\n${more}\n`;
}

const allow: Approve = async () => 'allow';
const deny: Approve = async () => 'deny';

describe('ask', () => {
  const asked = rule('ask', ['asked', '**/*.secret'], 'reason = "a person decides"');

  test('is refused with its reason without an approver', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    project.write('top.secret', 'hidden');
    const { stdout, stderr, refusals } = await run(project, 'cat asked/a top.secret; echo x > asked/b; true');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/asked\/a: Permission denied/u);
    expect(refusals).toEqual(['read asked/a r-ask', 'read top.secret r-ask', 'create asked/b r-ask']);
    expect(existsSync(join(project.workspace, 'asked/b'))).toBe(false);
  });

  test('goes ahead after the approval, and the written text reaches the host', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    project.write('top.secret', 'below');
    const { stdout, refusals } = await run(
      project,
      'cat asked/a ./asked/../top.secret; umask 027; echo new > asked/b; echo more >> asked/a; mkdir asked/d; mv asked/b asked/d/c; ln -s x asked/l; rm asked/l; chmod 600 asked/a; touch -d @5 asked/a',
      allow,
    );
    expect(stdout).toBe('hiddenbelow');
    expect(refusals).toEqual([]);
    expect(readFileSync(join(project.workspace, 'asked/a'), 'utf8')).toBe('hiddenmore\n');
    expect(readdirSync(join(project.workspace, 'asked')).toSorted()).toEqual(['a', 'd']);
    expect(statSync(join(project.workspace, 'asked/d/c')).mode & 0o777).toBe(0o640);
    expect(statSync(join(project.workspace, 'asked/a'))).toMatchObject({ mtimeMs: 5000 });
  });

  test('shows the request, and waits for the answer', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    const seen: unknown[] = [];
    const { stdout } = await run(project, 'cat asked/a', async ({ request, verdict, process }) => {
      seen.push([request, verdict.rule, process > 0]);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return 'allow';
    });
    expect(stdout).toBe('hidden');
    expect(seen).toEqual([
      [{ kind: 'file', operation: 'read', path: join(project.workspace, 'asked/a') }, 'r-ask', true],
    ]);
  });

  test('an approved read allows no write, and no move to a writable place', async () => {
    using project = ruled('');
    project.write('../data/secret', 'as it was');
    const data = join(project.workspace, '../data');
    project.write(
      '../home/.config/holdfast/policy.toml',
      `version = 1\n[files]\nread = [${JSON.stringify(data)}]\n${rule('ask', [join(data, 'secret')], 'operations = ["read"]')}${rule('ask', ['moved']).replace('r-ask', 'r-moved')}`,
    );
    project.write('moved', 'x');
    const { stdout } = await run(
      project,
      `cat ${data}/secret; python3 -c 'import os; os.write(os.open("${data}/secret", os.O_RDWR), b"written")' 2> /dev/null || echo refused; mv moved ${data}/planted 2> /dev/null || echo kept`,
      allow,
    );
    expect(stdout).toBe('as it wasrefused\nkept\n');
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('as it was');
    expect(existsSync(join(data, 'planted'))).toBe(false);
  });

  test('an approver that throws denies', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    const { stdout, refusals } = await run(project, 'cat asked/a', async () => {
      throw new Error('no terminal');
    });
    expect([stdout, refusals]).toEqual(['', ['read asked/a r-ask']]);
  });

  test('a symlink and another spelling cause the same question', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    symlinkSync('asked/a', join(project.workspace, 'link'));
    symlinkSync(join(project.workspace, 'asked'), join(project.workspace, 'dir'));
    const { stdout } = await run(project, 'cat link dir/a .//asked/./a; cd /; cat "$OLDPWD/asked/a"', allow);
    expect(stdout).toBe('hidden'.repeat(4));
  });

  test('a read-only file is given as a copy that cannot be written', async () => {
    using project = ruled(asked);
    project.write('asked/a', 'hidden');
    const reading: Approve = async ({ request }) =>
      request.kind === 'file' && request.operation === 'read' ? 'allow' : 'deny';
    const { stdout } = await run(
      project,
      'exec 3< asked/a; echo lost > /proc/self/fd/3; (echo lost >> /dev/fd/3) ; chmod 777 /proc/self/fd/3; cat <&3',
      reading,
    );
    expect(stdout).toBe('hidden');
    expect(readFileSync(join(project.workspace, 'asked/a'), 'utf8')).toBe('hidden');
  });

  test('a rule about writing alone does not affect reading', async () => {
    using project = ruled(rule('ask', ['kept'], 'operations = ["write", "create", "delete"]'));
    project.write('kept/a', 'text');
    expect(await run(project, 'cat kept/a; echo x > kept/a; rm kept/a; mv kept other', deny)).toMatchObject({
      stdout: 'text',
      refusals: ['write kept/a r-ask', 'delete kept/a r-ask', 'delete kept r-ask'],
    });
    expect(readFileSync(join(project.workspace, 'kept/a'), 'utf8')).toBe('text');
    await run(project, 'echo x > kept/a', allow);
    expect(readFileSync(join(project.workspace, 'kept/a'), 'utf8')).toBe('x\n');
  });

  test('a rule about deletion alone does not affect writing', async () => {
    using project = ruled(rule('ask', ['kept'], 'operations = ["delete"]'));
    project.write('kept/a', 'text');
    expect(await run(project, 'echo x > kept/a; echo y > kept/b; rm kept/a', deny)).toMatchObject({
      refusals: ['delete kept/a r-ask'],
    });
    expect(readFileSync(join(project.workspace, 'kept/a'), 'utf8')).toBe('x\n');
    expect(readFileSync(join(project.workspace, 'kept/b'), 'utf8')).toBe('y\n');
  });

  test('a missing file causes no question', async () => {
    using project = ruled(asked);
    mkdirSync(join(project.workspace, 'asked'));
    const { stderr, refusals } = await run(project, 'cat asked/none x.secret');
    expect(stderr).toMatch(/No such file/u);
    expect(refusals).toEqual([]);
  });
});

describe('redirect', () => {
  test('reaches its target and leaves the original unchanged', async () => {
    using project = ruled(rule('redirect', ['real'], 'redirect_to = "spare"'));
    project.write('real/a', 'real');
    project.write('spare/a', 'spare');
    const { stdout, refusals } = await run(
      project,
      'cat real/a; echo new > real/b; echo changed > real/a; mkdir real/d; ls real; rm real/a',
    );
    expect([stdout, refusals]).toEqual(['sparea\nb\nd\n', []]);
    expect(readdirSync(join(project.workspace, 'real'))).toEqual(['a']);
    expect(readFileSync(join(project.workspace, 'real/a'), 'utf8')).toBe('real');
    expect(readdirSync(join(project.workspace, 'spare')).toSorted()).toEqual(['b', 'd']);
  });

  test('to an ungranted path is refused', async () => {
    using project = ruled(rule('redirect', ['real'], 'redirect_to = "/home/dev/notes"'));
    project.write('real/a', 'real');
    expect(await run(project, 'cat real/a')).toMatchObject({ stdout: '', refusals: ['read real/a r-redirect'] });
  });
});

describe('stage', () => {
  test('keeps deleted, overwritten and truncated files', async () => {
    using project = ruled(rule('stage', ['kept']));
    project.write('kept/deleted', 'one');
    project.write('kept/overwritten', 'two');
    project.write('kept/replaced', 'three');
    project.write('kept/cut', 'four');
    const { refusals } = await run(
      project,
      'cat kept/* > /dev/null; rm kept/deleted; echo x > kept/overwritten; echo y > kept/new; mv kept/new kept/replaced; truncate -s 1 kept/cut',
    );
    expect(refusals).toEqual([]);
    expect(readdirSync(join(project.workspace, 'kept')).toSorted()).toEqual(['cut', 'overwritten', 'replaced']);
    const { stdout } = project.holdfast(['trash', 'list', '--json']);
    const entries = JSON.parse(stdout) as { readonly entries?: readonly Entry[] } | readonly Entry[];
    const list = Array.isArray(entries)
      ? (entries as readonly Entry[])
      : ((entries as { readonly entries?: readonly Entry[] }).entries ?? []);
    const journal = readFileSync(join(project.state, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"kept"'))
      .map((line) => (JSON.parse(line) as { readonly entry?: string }).entry);
    expect(journal.toSorted()).toEqual(list.map(({ id }) => id).toSorted());
    expect(list.map(({ path, cause }) => `${cause} ${path.split('/').at(-1) ?? ''}`).toSorted()).toEqual(
      ['deleted deleted', 'overwritten cut', 'overwritten replaced', 'truncated overwritten'].toSorted(),
    );
  });
});

test('a file beyond the quota of the trash is neither deleted nor changed, and the error gives the reason', async () => {
  using project = ruled(`${rule('stage', ['kept'])}[limits]\ntrash = "100KB"`);
  for (const name of ['large', 'cut', 'moved']) project.write(`kept/${name}`, 'x'.repeat(200_000));
  project.write('kept/small', 'y');
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment: environmentOf(project) });
  const { stderr, refusals } = await sandbox.commands.run(
    ['sh', '-c', 'rm kept/large; truncate -s 1 kept/cut; mv kept/moved out; rm kept/small; ls kept'],
    { environment: { LC_ALL: 'C' } },
  );
  expect(stderr.toString().match(/Disk quota exceeded/gu)).toHaveLength(3);
  expect(readdirSync(join(project.workspace, 'kept')).toSorted()).toEqual(['cut', 'large', 'moved']);
  expect(statSync(join(project.workspace, 'kept/cut')).size).toBe(200_000);
  expect(refusals.map(({ verdict: { rule: name, remedy } }) => [name, remedy])).toEqual(
    Array.from({ length: 3 }, () => ['r-stage', expect.stringContaining('limits.trash')]),
  );
  expect(refusals[0]?.verdict.message).toMatch(
    /kept\/large" has 200000 bytes, more than the trash may hold \(100000\): it was not deleted/u,
  );
});

interface Entry {
  readonly id: string;
  readonly path: string;
  readonly cause: string;
}

describe('audit', () => {
  test('is journalled and succeeds', async () => {
    using project = ruled(rule('audit', ['**/*.sql']));
    project.write('a.sql', 'select');
    const { stdout } = await run(project, 'cat a.sql; echo x > a.sql');
    expect(stdout).toBe('select');
    const journal = readFileSync(join(project.state, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"enforcement"'))
      .map(
        (line) => JSON.parse(line) as { readonly outcome: string; readonly request: { readonly operation: string } },
      );
    expect(journal.map(({ outcome, request }) => `${outcome} ${request.operation}`)).toEqual([
      'audited read',
      'audited write',
    ]);
  });
});

describe('a box under a supervisor', () => {
  test('builds, forks and uses git as usual', async () => {
    using project = ruled(rule('ask', ['asked']));
    project.write('asked/a', '');
    const script =
      'set -e; git init -q r; cd r; git config user.email a@b; git config user.name a; echo a > a; git add a; git commit -qm a; git branch b; git checkout -q b; mkfifo p; (echo through > p &) ; cat p; for i in 1 2 3 4 5 6 7 8; do (seq 1 50 | xargs -P 8 -I@ sh -c "echo @ > f@.$i") & done; wait; ls | wc -l; (echo tty > /dev/stdout) | cat; echo > /dev/null; rm -r .git; ln a hard; cp -a . ../copy';
    const { stdout, stderr, exitCode } = await run(project, script);
    expect([stderr, stdout, exitCode]).toEqual(['', 'through\n402\ntty\n', 0]);
  });

  test('refuses new protected names at once', async () => {
    using project = ruled(rule('ask', ['asked']));
    project.write('asked/a', '');
    const { stderr, refusals } = await run(project, 'mkdir .vscode; echo > .envrc');
    expect(stderr).toMatch(/ermission denied/u);
    expect(refusals.map((refusal) => refusal.split(' ').slice(0, 2).join(' '))).toEqual([
      'create .vscode',
      'create .envrc',
    ]);
  });
});

describe('a rule about reading alone', () => {
  test('restricts reading, and does not affect writing', async () => {
    using project = ruled(rule('ask', ['asked'], 'operations = ["read"]'));
    project.write('asked/a', 'hidden');
    expect(await run(project, 'cat asked/a; (cat < asked/a) ; rm asked/a', deny)).toMatchObject({
      stdout: '',
      refusals: ['read asked/a r-ask'],
    });
    expect(existsSync(join(project.workspace, 'asked/a'))).toBe(false);
  });
});

test('a file that leaves a directory with kept deletions is kept first', async () => {
  using project = ruled(rule('stage', ['kept']));
  project.write('kept/tree/file', 'one');
  project.write('kept/stays', 'two');
  expect(await run(project, 'mv kept/tree out && mv kept/stays kept/renamed')).toMatchObject({
    exitCode: 0,
    refusals: [],
  });
  expect(readFileSync(join(project.workspace, 'out/file'), 'utf8')).toBe('one');
  const kept = readdirSync(join(project.state, 'trash'), { recursive: true, encoding: 'utf8' });
  expect(
    kept
      .filter((path) => /\/content(?:\/|$)/u.test(path))
      .map((path) => path.split('/content')[1])
      .toSorted(),
  ).toEqual(['', '/file']);
});
