import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../plan/types.ts';
import { planCommand } from './plan.ts';
import { scene, type Scene } from './testing/run.ts';

async function planOf({ run }: Scene, ...argv: readonly string[]): Promise<Plan> {
  const { status, stdout, stderr } = await run(planCommand, '--json', ...argv);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Plan;
}

describe('holdfast plan', () => {
  test('prints the plan of the command as JSON', async () => {
    const here = scene({ AWS_SECRET_ACCESS_KEY: 'secret', LANG: 'C.UTF-8' });
    const plan = await planOf(here, '--', 'npm', 'test', '--x');
    expect(plan.command).toMatchObject({ argv: ['npm', 'test', '--x'], cwd: here.workspace });
    expect(plan.mounts).toContainEqual(
      expect.objectContaining({ kind: 'bind', target: here.workspace, access: 'read-write' }),
    );
    expect(plan.protection.roots).toEqual([here.workspace]);
    expect(plan.requires).toContain('net.closed');
    expect(JSON.stringify(plan.command.environment)).not.toContain('secret');
  });

  test('plans `true` when nothing is named', async () => {
    expect((await planOf(scene())).command.argv).toEqual(['true']);
  });

  test('--staged puts an overlay over writable paths, and makes no layer', async () => {
    const here = scene();
    const also = join(dirname(here.workspace), 'also');
    mkdirSync(also);
    const plan = await planOf(here, '--staged', '--write', also);
    expect(
      plan.mounts.flatMap((mount) =>
        mount.kind === 'overlay' && mount.layer !== undefined ? [[mount.target, mount.layer.upper.path]] : [],
      ),
    ).toEqual(
      [here.workspace, also]
        .toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
        .map((target) => [target, expect.stringMatching(/\/staged\/new\/\d\/upper$/u)]),
    );
    expect(
      plan.mounts.some(
        (mount) => mount.kind === 'bind' && mount.access === 'read-write' && mount.identity.type === 'directory',
      ),
    ).toBe(false);
    expect(plan.requires).toContain('fs.stage');
    expect(existsSync(join(dirname(here.journal), 'staged'))).toBe(false);
    expect((await here.run(planCommand, '--staged')).stdout).toMatch(
      new RegExp(`^  staged     ${here.workspace} into .*/staged/new/0/upper$`, 'mu'),
    );
    expect((await planOf(here)).requires).not.toContain('fs.stage');
  });

  test('--staged refuses unsupported paths, as run does', async () => {
    const here = scene();
    const file = join(dirname(here.workspace), 'single');
    writeFileSync(file, '');
    expect(await here.run(planCommand, '--staged', '--write', file)).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/single file[^]*\[HF_GUARANTEE_MISSING\]/u),
    });
  });

  test('takes the options of run', async () => {
    const here = scene();
    const shown = join(here.workspace, '../shown');
    mkdirSync(shown);
    const target = join(dirname(here.workspace), 'shown');
    expect((await planOf(here, '--read', target)).mounts).toContainEqual(
      expect.objectContaining({ kind: 'bind', target, access: 'read-only' }),
    );
    expect((await planOf(here, '--write', target)).mounts).toContainEqual(
      expect.objectContaining({ kind: 'bind', target, access: 'read-write' }),
    );
    expect((await planOf(here)).mounts).not.toContainEqual(expect.objectContaining({ target }));
  });

  test.each(['a*b', '*', '**', 'a{b,c}', 'a?', '~', '$HOME', 'a b', 'é', '\\'])(
    '--read and --write take %j for the path that it is, below the working directory',
    async (name) => {
      const here = scene();
      const target = join(dirname(here.workspace), name);
      mkdirSync(target);
      mkdirSync(join(dirname(here.workspace), 'aXb'));
      const { mounts } = await planOf(here, '--read', `../${name}`);
      expect(mounts).toContainEqual(expect.objectContaining({ kind: 'bind', target, access: 'read-only' }));
      expect(mounts).not.toContainEqual(expect.objectContaining({ target: join(dirname(here.workspace), 'aXb') }));
      expect((await planOf(here, '--write', `../${name}`)).mounts).toContainEqual(
        expect.objectContaining({ kind: 'bind', target, access: 'read-write' }),
      );
    },
  );

  test.each(['/', '//', '../../../../../../..'])('--read %s would leave no box', async (path) => {
    for (const flag of ['--read', '--write']) {
      const { status, stderr } = await scene().run(planCommand, flag, path);
      expect(status).toBe(125);
      expect(stderr).toMatch(
        /^holdfast: command line: "\/" in --\w+ \/ grants the whole machine, which would leave no box; name the directories/u,
      );
    }
  });

  test('an empty path, and one with a line break, are mistakes', async () => {
    expect(await scene().run(planCommand, '--read', '')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
    expect(await scene().run(planCommand, '--write', 'a\nb')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('[HF_PATH_UNREPRESENTABLE]'),
    });
  });

  test('--workspace is relative to the working directory', async () => {
    const here = scene();
    mkdirSync(join(here.workspace, 'sub'));
    expect((await planOf(here, '--workspace', 'sub')).protection.roots).toEqual([join(here.workspace, 'sub')]);
    expect((await planOf(here, '--workspace', './sub/..')).protection.roots).toEqual([here.workspace]);
    expect(await here.run(planCommand, '--workspace', 'none')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining(join(here.workspace, 'none')),
    });
  });

  test('has a section for every part, for a person', async () => {
    const here = scene();
    const { status, stdout } = await here.run(planCommand);
    expect(status).toBe(0);
    const titles = stdout.split('\n').filter((line) => /^[a-zA-Z]/u.test(line));
    expect(titles).toEqual([
      'command',
      'environment',
      'mounts',
      'protected names',
      'looked for in',
      'Landlock',
      'system calls',
      'refused programs',
      'calls that stop',
      'network',
      'limits',
      'requires',
      'variables that stay outside',
      'secrets that enter',
      'taken out of PATH',
      'held by the supervisor alone',
    ]);
    expect(stdout).toContain(`read-write ${here.workspace}\n`);
  });

  test('names withheld parts with reasons, and values that look like secrets', async () => {
    const here = scene({
      PATH: ':bin:/usr/bin::/bin',
      NODE_OPTIONS: '--require ./x',
      MY_TOKEN: 'a',
      OTHER_KEY: 'b',
      UNKNOWN_THING: 'c',
      LANG: 'C.UTF-8',
      LC_ALL: 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
      'BASH_FUNC_x%%': '() { :; }',
    });
    const { stdout } = await here.run(planCommand, '--env', 'OTHER_KEY');
    expect(stdout).toContain('  programs run the code that they name: NODE_OPTIONS\n');
    expect(stdout).toMatch(/^ {2}named like a secret: MY_TOKEN$/mu);
    expect(stdout).toMatch(/^ {2}a value like a secret: LC_ALL$/mu);
    expect(stdout).toMatch(/^ {2}no line of the policy lets them in: .*UNKNOWN_THING/mu);
    expect(stdout).toContain('  not a name that shells know: "BASH_FUNC_x%%"\n');
    expect(stdout).toContain('secrets that enter\n  OTHER_KEY (--env OTHER_KEY, command line)\n');
    expect(stdout).toContain(
      'taken out of PATH\n  an empty entry, which means the working directory\n  "bin", which is relative\n\n',
    );
    expect(stdout).not.toMatch(/ghp_0123/u);
  });

  test('names the rules about commands that only the supervisor enforces', async () => {
    const here = scene();
    mkdirSync(dirname(here.policy), { recursive: true });
    writeFileSync(
      here.policy,
      'version = 1\n[commands]\ndeny = ["git", "no-such-program"]\nask = ["npm publish"]\n[[exec]]\nname = "a"\ndecision = "audit"\ncommands = ["ls"]\ncontext = "direct"\n',
    );
    expect((await here.run(planCommand)).stdout).toMatch(
      /held by the supervisor alone\n {2}deny no-such-program, which has no file here\n {2}ask npm publish\n$/u,
    );
    writeFileSync(
      join(here.workspace, 'holdfast.toml'),
      'version = 1\n[commands]\nallow = ["ls"]\ndeny = ["git push --force"]\n',
    );
    expect((await planOf(here)) as unknown).toMatchObject({
      notes: {
        supervised: [
          'deny no-such-program, which has no file here',
          'ask npm publish',
          'deny git push --force',
          'deny commands outside the lists of allowed commands',
        ],
      },
    });
  });

  test('--backend windows prints the steps of the same plan, labelled, and starts nothing', async () => {
    const here = scene();
    const { status, stdout, stderr } = await here.run(planCommand, '--backend', 'windows', '--', 'make', 'a b');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const plan = JSON.parse(stdout) as { readonly access: readonly { readonly path: string; readonly sddl: string }[] };
    expect(plan).toMatchObject({
      status: 'generated, not run',
      identity: { kind: 'appcontainer', capabilities: [] },
      command: { line: { kind: 'line', line: '"make" "a b"' }, directory: `C:${here.workspace.replaceAll('/', '\\')}` },
    });
    expect(plan.access.find(({ path }) => path === `C:${here.workspace.replaceAll('/', '\\')}`)?.sddl).toMatch(
      /^D:\(A;OICI;0x1301bf;;;S-1-15-2-[\d-]+\)$/u,
    );
    expect(
      JSON.parse((await here.run(planCommand, '--backend', 'windows', '--json', '--', 'make', 'a b')).stdout),
    ).toMatchObject({ access: plan.access });
    expect(await here.run(planCommand, '--backend', 'windows', '--staged')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });

  test('--backend seatbelt prints the profile of the same plan, labelled, and starts nothing', async () => {
    const here = scene();
    const { status, stdout, stderr } = await here.run(planCommand, '--backend', 'seatbelt', '--', 'make', 'a b');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^; generated, not run: /u);
    expect(stdout).toContain('"--","make","a b"]\n(version 1)\n(deny default');
    expect(stdout).toContain(
      `(allow file-read* file-map-executable process-exec* file-write*\n  (subpath "${here.workspace}"))`,
    );
    for (const option of ['--json', '--staged'])
      expect(await here.run(planCommand, '--backend', 'seatbelt', option)).toMatchObject({
        status: 125,
        stderr: expect.stringContaining('[HF_USAGE]'),
      });
  });

  test('starts nothing and writes no journal', async () => {
    const here = scene();
    await here.run(planCommand, '--', 'touch', 'made');
    expect(readdirSync(here.workspace)).toEqual([]);
    expect(existsSync(here.journal)).toBe(false);
  });

  test('a policy that asks for more than any backend holds is refused by name', async () => {
    const here = scene();
    mkdirSync(dirname(here.policy), { recursive: true });
    writeFileSync(here.policy, 'version = 1\n[require]\nguarantees = ["hardware.separate"]\n');
    const { status, stderr } = await here.run(planCommand);
    expect(status).toBe(125);
    expect(stderr).toMatch(/hardware\.separate/u);
  });
});
