import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keepApprovals } from '../../src/trust/store/change-trust.ts';
import { ResidentProject } from '../lib/resident.ts';

let project: ResidentProject;
beforeAll(() => {
  project = new ResidentProject();
  project.serve();
});
afterAll(() => project[Symbol.dispose]());
afterEach(() => rmSync(join(project.home, '.config'), { recursive: true, force: true }));

/** The box's view, without a Node process for it. */
function shown(
  script: string,
  {
    flags = [],
    environment = {},
  }: { readonly flags?: readonly string[]; readonly environment?: NodeJS.ProcessEnv } = {},
): string {
  const { nodes, result } = project.counted(['run', ...flags, '--', 'sh', '-c', script], { environment });
  expect({ nodes, stderr: result.stderr }).toMatchObject({ nodes: 0 });
  return `${result.stdout}${result.status === 0 ? '' : `status ${result.status} ${result.stderr}`}`.trim();
}

const policy = (text: string): string => project.write('../home/.config/holdfast/policy.toml', `version = 1\n${text}`);

test('the policy of the user', () => {
  const aside = join(project.home, 'aside');
  mkdirSync(aside);
  const write = (): string => shown(`echo x > ${aside}/x && echo written || echo refused`);
  expect(write()).toContain('refused');
  const file = policy(`[files]\nwrite = ["${aside}"]\n`);
  expect(write()).toBe('written');
  writeFileSync(file, readFileSync(file, 'utf8').replace('write =', 'read = '));
  expect(write()).toContain('refused');
  // Equal bytes count by their current state, regardless of earlier content.
  writeFileSync(file, `version = 1\n[files]\nwrite = ["${aside}"]\n`);
  expect(write()).toBe('written');
  renameSync(file, `${file}.aside`);
  expect(write()).toContain('refused');
});

test('the policy of the project', () => {
  const git = (): string => shown('git --version >/dev/null 2>&1 && echo ran || echo refused');
  expect(git()).toBe('ran');
  const file = project.write('holdfast.toml', 'version = 1\n[commands]\ndeny = ["git"]\n');
  expect(git()).toContain('refused');
  rmSync(file);
  expect(git()).toBe('ran');
});

test('a policy behind a link that changes its target', () => {
  const [one, other] = ['one.toml', 'other.toml'].map((name) => join(project.root, name)) as [string, string];
  writeFileSync(one, 'version = 1\n');
  writeFileSync(other, 'version = 1\n[commands]\ndeny = ["git"]\n');
  const git = (): string => shown('git --version >/dev/null 2>&1 && echo ran || echo refused');
  const file = policy('');
  for (const [target, said] of [
    [one, 'ran'],
    [other, 'refused'],
    [one, 'ran'],
  ] as const) {
    rmSync(file);
    symlinkSync(target, file);
    expect(git()).toContain(said);
  }
});

test('withheld files, with approved ones among them', () => {
  const see = (): string => shown('cat .mcp.json 2>/dev/null || echo none');
  const approve = (): void => {
    const bytes = readFileSync(join(project.workspace, '.mcp.json'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const approvals = [
      {
        entry: {
          path: '.mcp.json',
          sha256,
          surface: 'test',
          level: 'always',
          approvedAt: new Date().toISOString(),
          fields: [],
          scripts: [],
        },
        contents: new Map([[sha256, bytes]]),
      } as const,
    ];
    keepApprovals(
      { trust: join(project.state, 'trust'), runtime: project.runtime },
      { workspace: project.workspace, level: 'always', approvals, journal: () => undefined },
    );
  };
  expect(see()).toBe('none');
  const file = project.write('.mcp.json', '{"one":1}');
  expect(see()).toBe('none');
  approve();
  expect(see()).toBe('{"one":1}');
  writeFileSync(file, '{"two":2}');
  expect(see()).toBe('none');
  approve();
  expect(see()).toBe('{"two":2}');
  rmSync(join(project.state, 'trust'), { recursive: true });
  expect(see()).toBe('none');
  rmSync(file);
});

test('a secret from a variable, and one from a file', async () => {
  const heard: unknown[] = [];
  const server = createServer(
    (request, response) => void response.end(String(heard.push(request.headers.authorization))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = project.write('../home/token', 'file-secret-one-0123456789');
  const table = (name: string, source: string): string =>
    `[[credentials]]\nname = "${name.toLowerCase()}"\nsource = ${source}\nhosts = ["localhost:${port}"]\ntransport = "plain"\ninject = { kind = "bearer" }\nenvironment = ["${name}_TOKEN"]\n`;
  policy(
    `[network]\nhosts = ["localhost:${port}"]\n${table('A', '{ env = "A_SECRET" }')}${table('B', `{ file = "${file}", format = "text" }`)}`,
  );
  const ask = async (value: string): Promise<void> => {
    const before = project.starts.length;
    const script = `for t in "$A_TOKEN" "$B_TOKEN"; do curl -sS --max-time 10 -H "Authorization: Bearer $t" http://localhost:${port}/ || exit 9; done`;
    const run = project.begin(['run', '--', 'sh', '-c', script], { environment: { A_SECRET: value } });
    expect({ ...(await run.ended), stderr: run.stderr }).toEqual({ status: 0, signal: null, stderr: '' });
    expect(project.starts.length).toBe(before);
  };
  await ask('variable-secret-one-0123456789');
  writeFileSync(file, 'file-secret-two-0123456789');
  await ask('variable-secret-two-0123456789');
  expect(heard).toEqual(
    [
      'variable-secret-one-0123456789',
      'file-secret-one-0123456789',
      'variable-secret-two-0123456789',
      'file-secret-two-0123456789',
    ].map((secret) => `Bearer ${secret}`),
  );
  rmSync(file);
  const { stderr, stdout } = project.holdfast(['run', '--', 'sh', '-c', 'echo "<$A_TOKEN><$B_TOKEN>"']);
  expect(stdout).toBe('<><>\n');
  expect(stderr).toMatch(/no credential a[^]*no credential b/u);
  server.close();
});

test('the workspace: hidden names, protected names, and the directory itself', () => {
  const see = (): string =>
    shown(
      'cat .env 2>/dev/null || echo hidden; echo x > .git/hooks/post-merge 2>/dev/null && echo planted || echo kept; ls',
    );
  rmSync(join(project.workspace, '.git/hooks'), { recursive: true, force: true });
  expect(see()).not.toContain('planted');
  const file = project.write('.env', 'PASSWORD=sesame');
  mkdirSync(join(project.workspace, '.git/hooks'), { recursive: true });
  expect(see()).toMatch(/^hidden\nkept/u);
  rmSync(file);
  const moved = `${project.workspace}.moved`;
  renameSync(project.workspace, moved);
  mkdirSync(project.workspace);
  project.outside('git', ['init', '-q']);
  project.write('.env', 'PASSWORD=other');
  project.write('new', 'x');
  expect(see()).toBe('hidden\nkept\nnew');
  rmSync(project.workspace, { recursive: true });
  renameSync(moved, project.workspace);
});

test('a program of PATH, and the rules about it', () => {
  const place = join(project.home, 'programs');
  mkdirSync(place);
  const environment = { PATH: `${place}:${process.env['PATH'] ?? ''}` };
  policy(`[files]\nread = ["${place}"]\n`);
  const run = (): string => shown('mytool 2>/dev/null || echo none', { environment });
  const make = (text: string): void => {
    writeFileSync(join(place, 'mytool'), `#!/bin/sh\n${text}\n`);
    chmodSync(join(place, 'mytool'), 0o755);
  };
  expect(run()).toBe('none');
  make('echo one');
  expect(run()).toBe('one');
  make('echo two');
  expect(run()).toBe('two');
  policy(`[files]\nread = ["${place}"]\n[commands]\ndeny = ["mytool"]\n`);
  expect(run()).not.toContain('two');
  // Another name for a denied file, made after the denial.
  renameSync(join(place, 'mytool'), join(place, 'othertool'));
  symlinkSync('othertool', join(place, 'mytool'));
  expect(run()).not.toContain('two');
  policy('');
  expect(run()).toBe('none');
});

test('a journal that cannot record the start: nothing runs, with the reason and the status of Node', () => {
  const [journal, ran] = [join(project.state, 'journal.jsonl'), join(project.workspace, 'ran')];
  expect(shown('echo x')).toBe('x');
  renameSync(journal, `${journal}.aside`);
  mkdirSync(journal);
  const run = (environment: NodeJS.ProcessEnv) =>
    project.counted(['run', '--', 'sh', '-c', ': > ran'], { environment });
  const [warm, cold] = [run({}), run({ HOLDFAST_RESIDENT: 'never' })];
  rmSync(journal, { recursive: true });
  renameSync(`${journal}.aside`, journal);
  expect([warm.nodes, cold.nodes]).toEqual([0, 1]);
  expect({ status: warm.result.status, stderr: warm.result.stderr }).toEqual({
    status: 125,
    stderr: cold.result.stderr,
  });
  expect(warm.result.stderr).toContain('HF_JOURNAL_FAILED');
  expect(existsSync(ran)).toBe(false);
});

test('the number of runs in doctor and ps', { timeout: 120_000 }, async () => {
  const run = await project.begin(['run', '--', 'sh', '-c', 'echo up; cat']).said('up');
  expect(run.way).toBe('warm');
  const line = (command: string): string | undefined =>
    /^resident supervisor: .*, (.*)$/mu.exec(project.holdfast([command]).stdout)?.[1];
  expect([line('doctor'), line('ps')]).toEqual(['1 run now', '1 run now']);
  run.process.stdin?.end();
  await run.ended;
  await expect.poll(() => line('ps')).toBe('no runs now');
});
