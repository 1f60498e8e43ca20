import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../../policy/document/parse.ts';
import { type Ended, scene, type Scene } from '../testing/run.ts';
import { policyCommand } from './index.ts';
import { projectTemplate } from './init.ts';

interface Files {
  readonly user?: string;
  readonly project?: string;
}

function withFiles({ user, project }: Files): Scene {
  const here = scene();
  if (user !== undefined) {
    mkdirSync(dirname(here.policy), { recursive: true });
    writeFileSync(here.policy, user);
  }
  if (project !== undefined) writeFileSync(join(here.workspace, 'holdfast.toml'), project);
  return here;
}

const policy = (here: Scene, ...argv: readonly string[]): Promise<Ended> => here.run(policyCommand, ...argv);
const json = async (here: Scene, ...argv: readonly string[]): Promise<unknown> =>
  JSON.parse((await policy(here, ...argv, '--json')).stdout) as unknown;

describe('holdfast policy', () => {
  test.each([[['chekc']], [['show', 'x']], [['check', 'a', 'b']], [['schema', 'x']], [['explain', 'x']]])(
    '%j is a mistake with a remedy',
    async (argv) => {
      const { status, stderr, stdout } = await policy(scene(), ...argv);
      expect({ status, stdout }).toEqual({ status: 125, stdout: '' });
      expect(stderr).toMatch(/^holdfast: .*\nholdfast: to fix it: .*see `holdfast policy --help` \[HF_USAGE\]\n$/iu);
    },
  );

  test('--help names every subcommand', async () => {
    const { status, stdout } = await policy(scene(), '--help');
    expect(status).toBe(0);
    for (const name of ['check', '[show]', 'explain', 'test', 'init', 'schema'])
      expect(stdout).toContain(`holdfast policy ${name}`);
  });
});

describe('check', () => {
  test('without any file says that the defaults hold', async () => {
    expect(await policy(scene(), 'check')).toEqual({
      status: 0,
      stdout: 'No policy file is in force here. The built-in defaults apply; `holdfast policy show` prints them.\n',
      stderr: '',
    });
  });

  test('names the sound files', async () => {
    const user = 'version = 1\n[limits]\nmemory = "2 GiB"\nwall = "30 s"';
    const here = withFiles({ user, project: 'version = 1\n[files]\nwrite = ["src"]' });
    expect(await policy(here, 'check')).toEqual({
      status: 0,
      stdout: `${here.policy}: no problems\n${here.workspace}/holdfast.toml: no problems\n`,
      stderr: '',
    });
    expect(await json(here, 'check')).toEqual({
      files: [here.policy, `${here.workspace}/holdfast.toml`],
      problems: [],
      notes: [],
    });
  });

  test('notes rules that do not apply here', async () => {
    const here = withFiles({
      user: String.raw`version = 1
[registry]
allow = ['HKCU\Software\Example']`,
    });
    expect(await policy(here, 'check')).toEqual({
      status: 0,
      stdout: `${here.policy}: no problems\n${here.policy}:3: note: "registry.allow[0]" is about the Windows registry, which this machine does not have\n  no change is needed: boxes of this machine have no registry; for Windows such rules are generated, not run\n`,
      stderr: '',
    });
    expect(await json(here, 'check')).toMatchObject({ problems: [], notes: [{ line: 3 }] });
  });

  test('notes granted paths that do not exist', async () => {
    const here = withFiles({
      user: 'version = 1\n[files]\nread = ["~/nope", "/usr"]\nwrite = ["/srv/nope"]\ndeny = ["~/no"]',
    });
    const note = (line: number, rule: string, path: string): string =>
      `${here.policy}:${line}: note: "${rule}" grants nothing: ${path} does not exist\n` +
      '  check the spelling, or create it; keep the line if another machine has the path\n';
    expect(await policy(here, 'check')).toEqual({
      status: 0,
      stdout:
        `${here.policy}: no problems\n` + note(3, 'files.read[0]', '~/nope') + note(4, 'files.write[0]', '/srv/nope'),
      stderr: '',
    });
  });

  test('names every problem of every file, with its line and remedy', async () => {
    const here = withFiles({
      user: 'version = 1\n[files]\nraed = []\nread = ["../x"]',
      project: 'version = 1\n[files]\nrelease = [".vscode"]\nwriet = []',
    });
    const { status, stdout, stderr } = await policy(here, 'check');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain(`${here.policy}:3: unknown key "raed"\n  did you mean "read"?\n`);
    expect(stdout).toContain(`${here.workspace}/holdfast.toml:4: unknown key "writet"`.replace('writet', 'wriet'));
    const { problems } = (await json(here, 'check')) as {
      readonly problems: readonly { readonly file: string; readonly line: number }[];
    };
    expect(problems.length).toBeGreaterThanOrEqual(2);
    expect(problems[0]).toMatchObject({ file: here.policy, line: 3, code: 'HF_POLICY_INVALID' });
  });

  test('names what this version cannot carry out', async () => {
    const { status, stdout } = await policy(
      withFiles({ project: 'version = 1\n[[tool]]\nname = "aside"\ndecision = "stage"\ntools = ["mail/send"]' }),
      'check',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /holdfast\.toml:2: "aside" needs "stage" for tool requests, which nothing here can carry out/u,
    );
  });

  test('names grants that open nothing, and refusals that nothing could hold, with what to write instead', async () => {
    const here = withFiles({
      user: 'version = 1\n[files]\nread = ["~/data/*.csv", "/"]\ndeny = ["~/x/*.key"]',
      project: 'version = 1\n[files]\nwrite = ["src/*"]',
    });
    const { status, stdout } = await policy(here, 'check');
    expect(status).toBe(1);
    expect(stdout.split('\n')).toEqual([
      `${here.policy}:4: "~/x/*.key" in files.deny[0] cannot be enforced by the kernel`,
      '  write "**/x/*.key"',
      `${here.policy}:3: "~/data/*.csv" in files.read[0] opens nothing: a grant is a mount, and only whole paths can be mounted`,
      '  write "~/data" for the directory and everything beneath, or name each path',
      `${here.policy}:3: "/" in files.read[1] grants the whole machine, which would leave no box`,
      '  name the directories that are needed; those of the system are readable anyway',
      `${here.workspace}/holdfast.toml:3: "src/*" in files.write[0] opens nothing: a grant is a mount, and only whole paths can be mounted`,
      '  write "src" for the directory and everything beneath, or name each path',
      '',
    ]);
  });

  test('takes one file, as a project policy by its name, and as a user policy otherwise', async () => {
    const here = scene();
    const text = 'version = 1\n[files]\nrelease = [".vscode"]';
    writeFileSync(join(here.workspace, 'mine.toml'), text);
    mkdirSync(join(here.workspace, 'sub'));
    writeFileSync(join(here.workspace, 'sub/holdfast.toml'), text);
    expect(await policy(here, 'check', 'mine.toml')).toMatchObject({
      status: 0,
      stdout: `${here.workspace}/mine.toml: no problems\n`,
    });
    expect(await policy(here, 'check', 'sub/holdfast.toml')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('a project policy cannot release'),
    });
  });

  test('looks only at the file that is named', async () => {
    const here = withFiles({ user: 'broken' });
    writeFileSync(join(here.workspace, 'mine.toml'), 'version = 1');
    expect((await policy(here, 'check')).status).toBe(1);
    expect((await policy(here, 'check', 'mine.toml')).stdout).toMatch(/mine\.toml: no problems/u);
  });

  test.each([
    ['a missing file', undefined, /does not exist/u],
    ['ten megabytes', '#'.repeat(10 << 20), /bytes, and the limit is 1048576/u],
    ['what is not UTF-8', Buffer.from([0x76, 0xff, 0xfe]), /not valid UTF-8/u],
    ['an escape in a name', 'version = 1\n["\\u001b[2J\\nevil"]\n', /unknown key/u],
  ])('%s is a problem', async (_, content, message) => {
    const here = scene();
    if (content !== undefined) writeFileSync(join(here.workspace, 'x.toml'), content);
    const { status, stdout } = await policy(here, 'check', 'x.toml');
    expect(status).toBe(1);
    expect(stdout).toMatch(message);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });

  test('a directory in place of a policy is a problem too', async () => {
    const here = scene();
    mkdirSync(join(here.workspace, 'holdfast.toml'));
    expect(await policy(here, 'check')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/cannot be used: it is not a regular file/u),
    });
  });
});

describe('show', () => {
  test('counts long lists of built-in lines, and --all prints them', async () => {
    const here = withFiles({ user: 'version = 1\n[files]\ndeny = ["~/diary"]' });
    const { stdout } = await policy(here, 'show');
    expect(stdout).toMatch(
      /^files\.deny\n {2}~\/diary +user, .*:3\n {2}and \d+ built-in: holdfast policy show --all\n/mu,
    );
    expect(stdout).not.toContain('~/.ssh');
    expect(stdout.split('\n').length).toBeLessThan(120);
    const all = (await policy(here, 'show', '--all')).stdout;
    expect(all).toMatch(/^ {2}~\/\.ssh +required, built-in — SSH keys and known hosts$/mu);
    expect(all).not.toContain('--all');
  });

  test('has every layer, every statement with its place, and the result', async () => {
    const here = withFiles({
      user: 'version = 1\n[files]\nread = ["/srv/data"]\n[limits]\nmemory = "1GiB"',
      project:
        'version = 1\n[[file]]\nname = "keep"\ndecision = "deny"\nreason = "generated"\npaths = ["gen"]\noperations = ["write"]',
    });
    const { status, stdout } = await policy(here, 'show', '--all');
    expect(status).toBe(0);
    expect(stdout).toContain(`workspace ${here.workspace}\n`);
    expect(stdout).toMatch(
      /^layers\n {2}required built-in\n {2}user {5}\S+policy\.toml\n {2}project {2}\S+holdfast\.toml$/mu,
    );
    expect(stdout).toMatch(new RegExp(`^files\\.read\\n  /srv/data +user, ${here.policy}:3\\n`, 'mu'));
    expect(stdout).toMatch(/^ {2}\/usr +user, built-in — programs and libraries of the system$/mu);
    expect(stdout).toMatch(
      /^ {2}deny paths=\["gen"\] operations=\["write"\] +project keep, \S+holdfast\.toml:2 — generated$/mu,
    );
    expect(stdout).toMatch(/^in force\n(?:.*\n)* {2}memory {6}1GiB\n/mu);
    expect(stdout).toMatch(/^ {2}open_files {2}65536$/mu);
    expect(stdout).toMatch(/^ {2}backend {5}auto$/mu);
  });

  test('as data', async () => {
    const shown = (await json(withFiles({ project: 'version = 1\n[limits]\nprocesses = 7' }), 'show')) as Readonly<
      Record<string, unknown>
    >;
    expect(shown).toMatchObject({
      effective: {
        limits: { processes: 7 },
        ptrace: 'deny',
        backend: 'auto',
        requires: expect.arrayContaining(['fs.read']),
      },
    });
    expect(shown['statements']).toContainEqual({
      subject: 'limits.processes',
      value: '7',
      origin: { rule: 'limits.processes', layer: 'project', file: expect.stringMatching(/holdfast\.toml$/u), line: 3 },
    });
    expect(shown['statements']).toContainEqual(
      expect.objectContaining({
        subject: 'files.deny',
        value: '~/.ssh',
        origin: expect.objectContaining({ layer: 'required' }),
      }),
    );
  });

  test('a broken policy is refused in whole', async () => {
    const { status, stderr } = await policy(withFiles({ project: 'version = 2' }), 'show');
    expect(status).toBe(125);
    expect(stderr).toMatch(/HF_POLICY_INVALID/u);
  });
});

describe('explain', () => {
  test('has the answer of each layer and the grants', async () => {
    const here = withFiles({ project: 'version = 1\n[files]\nread = ["src"]' });
    const { status, stdout } = await policy(here, 'explain', '--path', '/srv/x');
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'deny read /srv/x',
      '  required abstains (built-in)',
      '  user     deny: nothing in the policy grants it (files.read.default, built-in)',
      `  project  deny: files.read of ${here.workspace}/holdfast.toml:3 does not include it (files.read, ${here.workspace}/holdfast.toml:3)`,
      'to allow it',
      expect.stringMatching(/^ {2}add files\.read = \["\/srv\/x"\] to .*, or run with --read \/srv\/x$/u),
      `  add files.read = ["/srv/x"] to ${here.workspace}/holdfast.toml`,
      '',
    ]);
  });

  test.each([
    [['--path', 'x'], 'allow read '],
    [['--path', 'x', '--write'], 'allow write '],
    [['--path', '.git/hooks/x', '--write'], 'deny write '],
    [['--host', 'example.com'], 'deny connect to example.com:443'],
    [['--host', '[::1]:80'], 'deny connect to ::1:80'],
    [['--env', 'PATH'], 'allow pass PATH'],
    [['--env', 'MY_TOKEN'], 'deny pass MY_TOKEN'],
    [['--socket', '/run/docker.sock'], 'deny connect socket /run/docker.sock'],
    [['--', 'git', 'push', '--force'], 'allowed: no policy has rules about commands'],
  ])('%j', async (argv, start) => {
    const { status, stdout } = await policy(scene(), 'explain', ...argv);
    expect(status).toBe(0);
    expect(stdout.startsWith(start)).toBe(true);
  });

  test('answers several questions, also as data', async () => {
    const answers = (await json(scene(), 'explain', '--path', 'a', '--path', 'b', '--env', 'X')) as readonly {
      readonly request: unknown;
      readonly explanation: Readonly<Record<string, unknown>>;
    }[];
    expect(answers).toHaveLength(3);
    expect(answers[2]).toMatchObject({
      request: { kind: 'env', name: 'X' },
      explanation: {
        verdict: { decision: 'deny' },
        trace: expect.any(Array),
        wouldAllow: [{ kind: 'add', flag: ['--env', 'X'] }],
      },
    });
  });

  test('without a question says how to ask', async () => {
    expect(await policy(scene(), 'explain')).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/there is no question to answer/u),
    });
  });

  test('its names appear without control characters', async () => {
    const { stdout } = await policy(scene(), 'explain', '--path', '/srv/\u001b[2J\u202e');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });
});

describe('test', () => {
  const rules =
    'version = 1\n[[file]]\nname = "keep"\ndecision = "deny"\npaths = ["gen"]\noperations = ["write"]\nmatch = ["write gen/a"]\nnot_match = ["gen/a", "write src/a"]';

  test('tries every example', async () => {
    const here = withFiles({ project: rules });
    expect(await policy(here, 'test')).toEqual({
      status: 0,
      stderr: '',
      stdout: `ok  keep matches "write gen/a"\nok  keep does not match "gen/a"\nok  keep does not match "write src/a"\n${here.workspace}/holdfast.toml: 3 examples, all as written\n`,
    });
  });

  test('names an example that comes out otherwise, with its line', async () => {
    const here = withFiles({ project: rules.replace('"write src/a"', '"write gen/b"') });
    expect(await policy(here, 'test')).toEqual({
      status: 1,
      stderr: '',
      stdout: `${here.workspace}/holdfast.toml:8: "keep" matches "write gen/b", which it must not\n  change the rule or the example\n`,
    });
    expect(await json(here, 'test')).toMatchObject([{ results: [], problems: [{ line: 8 }] }]);
  });

  test('takes a file, and says when there is nothing to test', async () => {
    const here = scene();
    expect(await policy(here, 'test')).toMatchObject({
      status: 0,
      stdout: 'No policy file is in force here, so there are no examples to test.\n',
    });
    writeFileSync(join(here.workspace, 'mine.toml'), 'version = 1');
    expect(await policy(here, 'test', 'mine.toml')).toMatchObject({
      status: 0,
      stdout: `${here.workspace}/mine.toml: no examples\n`,
    });
    expect(await json(here, 'test', 'mine.toml')).toEqual([
      { file: `${here.workspace}/mine.toml`, results: [], problems: [] },
    ]);
    expect(await policy(here, 'test', 'missing.toml')).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/does not exist/u),
    });
  });
});

describe('init', () => {
  test('writes a policy that is sound and changes nothing', async () => {
    const here = scene();
    const path = join(here.workspace, 'holdfast.toml');
    expect(await policy(here, 'init')).toMatchObject({
      status: 0,
      stdout: `wrote ${path}: edit it, then \`holdfast policy check\`\n`,
    });
    expect(await policy(here, 'check')).toMatchObject({ status: 0 });
    const parsed = parsePolicy(readFileSync(path, 'utf8'), { file: path, kind: 'project' });
    expect(parsed).toMatchObject({ kind: 'document', document: { value: { version: 1 } } });
  });

  test('never overwrites, and never follows a symlink', async () => {
    const here = withFiles({ project: 'version = 1 # mine' });
    expect(await policy(here, 'init')).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/already exists/u),
    });
    expect(readFileSync(join(here.workspace, 'holdfast.toml'), 'utf8')).toBe('version = 1 # mine');
    const other = scene();
    symlinkSync(join(other.workspace, 'elsewhere'), join(other.workspace, 'holdfast.toml'));
    expect((await policy(other, 'init')).status).toBe(125);
    expect(() => readFileSync(join(other.workspace, 'elsewhere'))).toThrow(/ENOENT/u);
  });

  test('writes where --workspace says', async () => {
    const here = scene();
    mkdirSync(join(here.workspace, 'sub'));
    expect((await policy(here, 'init', '--workspace', join(here.workspace, 'sub'))).stdout).toContain(
      `${here.workspace}/sub/holdfast.toml`,
    );
  });

  test('everything that it shows in comments is sound', () => {
    const uncommented = projectTemplate.replaceAll(/^# (?=\[|[a-z_]+ = )/gmu, '');
    expect(uncommented).toContain('\n[[propose]]\n');
    expect(parsePolicy(uncommented, { file: 'holdfast.toml', kind: 'project' })).toMatchObject({
      kind: 'document',
      document: { value: { file: [{ name: 'generated-by-build' }], propose: [{ name: 'fixtures' }] } },
    });
  });
});

test('schema prints the schema of docs', async () => {
  const { status, stdout } = await policy(scene(), 'schema');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync('docs/policy.schema.json', 'utf8')));
});

describe('the file that a remedy names', () => {
  const remedyOf = async (here: Scene): Promise<string> =>
    (await policy(here, 'explain', '--path', '/srv/data')).stdout
      .split('\n')
      .find((line) => line.includes('add '))
      ?.trim() ?? '';

  test('is the file in use, wherever XDG_CONFIG_HOME puts it, existing or not', async () => {
    const here = scene();
    expect(await remedyOf(here)).toBe(`add files.read = ["/srv/data"] to ${here.policy}, or run with --read /srv/data`);
    expect(await remedyOf(withFiles({ user: 'version = 1' }))).toMatch(/ to \/.*\/config\/holdfast\/policy\.toml, /u);
  });

  test('is the usual one otherwise, in a person’s notation', async () => {
    expect(await remedyOf(scene({ XDG_CONFIG_HOME: '' }))).toContain(' to ~/.config/holdfast/policy.toml, ');
    expect(await remedyOf(scene({ XDG_CONFIG_HOME: 'relative' }))).toContain(' to ~/.config/holdfast/policy.toml, ');
    expect(await remedyOf(scene({ XDG_CONFIG_HOME: `${homedir()}/settings` }))).toContain(
      ' to ~/settings/holdfast/policy.toml, ',
    );
  });

  test('allows the request once it has that line', async () => {
    const here = scene();
    const [, line = '', file = ''] = /^add (.*) to (\/.*), or/u.exec(await remedyOf(here)) ?? [];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `version = 1\n${line}\n`);
    expect((await policy(here, 'explain', '--path', '/srv/data')).stdout).toMatch(/^allow /u);
  });
});
