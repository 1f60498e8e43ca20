import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { people, PersonalProject, type Person } from './lib/people.ts';
import { binary } from './lib/holdfast.ts';

/** All visible properties of a tree: names, types, modes, owners, times, links, contents. */
function treeOf(directory: string): string {
  const listed = spawnSync(
    'sh',
    ['-c', "find . -printf '%P %y %m %U:%G %T@ %n %l\\n' | sort; find . -type f -exec sha256sum {} + | sort"],
    { cwd: directory, encoding: 'utf8' },
  );
  return listed.stdout;
}

/** A repository with one commit. */
function repository(person: Person): PersonalProject {
  const project = new PersonalProject(person);
  project.write('kept', 'kept\n');
  project.write('gone/deep', 'gone\n');
  project.write('changed', 'before\n');
  project.as('git', ['add', '-A']);
  project.as('git', ['commit', '-qm', 'first']);
  project.own();
  return project;
}

/** Runs a script staged, and also returns the layer's name. */
function stage(project: PersonalProject, script: string, flags: readonly string[] = []) {
  const result = project.holdfast(['run', '--staged', ...flags, '--', 'sh', '-c', script]);
  return { ...result, id: /holdfast review (\S+)$/mu.exec(result.stderr)?.[1] ?? '' };
}

const into = (project: PersonalProject, id: string, script: string) =>
  project.holdfast(['run', '--into', id, '--', 'sh', '-c', script]);
const layersIn = (project: PersonalProject): readonly string[] =>
  existsSync(join(project.state, 'staged')) ? readdirSync(join(project.state, 'staged')) : [];

const change =
  'echo after > changed; rm -r gone; mkdir made; echo new > made/file; chmod 600 kept; ln -s kept link; mv made moved';

describe.each(people)('staged, as $name', (person) => {
  test('a command’s writes are visible to it and to later ones, and never on the host', () => {
    using project = repository(person);
    const before = treeOf(project.workspace);
    const first = stage(project, `${change}; cat changed moved/file; ls`);
    expect(first).toMatchObject({ status: 0, stdout: 'after\nnew\nchanged\nkept\nlink\nmoved\n' });
    expect(first.stderr).toBe(`holdfast: 7 paths changed, none on the host yet: holdfast review ${first.id}\n`);
    const second = into(
      project,
      first.id,
      'cat changed moved/file; ls; stat -c %a kept; echo more >> changed; rm link',
    );
    expect(second.stdout).toBe('after\nnew\nchanged\nkept\nlink\nmoved\n600\n');
    expect(into(project, first.id, 'cat changed; ls').stdout).toBe('after\nmore\nchanged\nkept\nmoved\n');
    expect(treeOf(project.workspace)).toBe(before);
  });

  test('the control: without --staged the host is changed', () => {
    using project = repository(person);
    const before = treeOf(project.workspace);
    expect(project.holdfast(['run', '--', 'sh', '-c', change])).toMatchObject({ status: 0, stderr: '' });
    expect(treeOf(project.workspace)).not.toBe(before);
  });

  test('every layer over one workspace sees its own', () => {
    using project = repository(person);
    const layers = ['one', 'two', 'three'].map(
      (text) => stage(project, `echo ${text} > changed; echo ${text} > ${text}`).id,
    );
    expect(new Set(layers).size).toBe(3);
    expect(layers.map((id) => into(project, id, 'cat changed; ls').stdout)).toEqual(
      ['one', 'two', 'three'].map((text) => `${text}\n${['changed', 'gone', 'kept', text].toSorted().join('\n')}\n`),
    );
    expect(project.holdfast(['staged', 'list']).stdout.match(/^\S+/gmu)).toEqual(layers.toReversed());
  });

  test('a list shows the layers of the current workspace, and with --all those of all workspaces', () => {
    using project = repository(person);
    const { id } = stage(project, 'echo x > x');
    const other = join(project.root, 'other');
    mkdirSync(other);
    project.own();
    expect(project.holdfast(['run', '--staged', '--', 'touch', 'y'], { cwd: other }).status).toBe(0);
    const listed = (cwd: string, ...flags: readonly string[]) =>
      [...project.holdfast(['staged', 'list', ...flags], { cwd }).stdout.matchAll(/^(\S+).* (\S+)$/gmu)].map(
        ([, found, workspace]) => [found, workspace],
      );
    const [foreign] = listed(other);
    expect(foreign).toEqual([expect.any(String), other]);
    expect(listed(project.workspace)).toEqual([[id, project.workspace]]);
    expect(listed(project.workspace, '--all')).toEqual([foreign, [id, project.workspace]]);
    expect(listed(join(project.workspace, '.git'))).toEqual([[id, project.workspace]]);
    const json = JSON.parse(project.holdfast(['staged', 'list', '--json', '--all']).stdout) as {
      readonly layers: readonly object[];
    };
    expect(json.layers).toEqual([
      expect.objectContaining({ workspace: other }),
      {
        id,
        workspace: project.workspace,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u),
        changed: 1,
        bytes: expect.any(Number),
      },
    ]);
  });

  test('the top of the workspace has its own mode and owner', () => {
    using project = repository(person);
    spawnSync('chmod', ['2750', project.workspace]);
    expect(stage(project, 'stat -c %a:%u . > x; cat x')).toMatchObject({ stdout: `2750:${person.uid}\n` });
  });

  test('a command without changes leaves no layer, and says so', () => {
    using project = repository(person);
    expect(stage(project, 'cat kept; exit 3')).toMatchObject({
      status: 3,
      stdout: 'kept\n',
      stderr: 'holdfast: nothing was changed\n',
    });
    expect(layersIn(project)).toEqual([]);
  });

  test('a command that cannot be started leaves no layer either', () => {
    using project = repository(person);
    expect(project.holdfast(['run', '--staged', '--', 'no-such-program'])).toMatchObject({ status: 127 });
    expect(layersIn(project)).toEqual([]);
  });

  test('hidden files stay hidden, hooks stay read-only, and protected names are kept for the review', () => {
    using project = repository(person);
    project.write('sub/.env', 'SECRET=1');
    project.own();
    const before = treeOf(project.workspace);
    const { id, stdout, stderr } = stage(
      project,
      'cat sub/.env; mv sub other; echo x > .git/hooks/pre-commit; echo x >> .git/config; mkdir -p .vscode deep/.github/workflows; echo {} > .vscode/settings.json; echo on: push > deep/.github/workflows/x.yml; cat .vscode/settings.json; ls -d sub',
    );
    expect(stdout).toBe('{}\nsub\n');
    expect(stderr).not.toContain('moved');
    expect(stderr.match(/Permission denied|Read-only file system|Directory nonexistent|busy/gu)).toHaveLength(4);
    expect(treeOf(project.workspace)).toBe(before);
    expect(existsSync(join(project.state, 'quarantine'))).toBe(false);
    expect(into(project, id, 'cat deep/.github/workflows/x.yml; cat .vscode/settings.json').stdout).toBe('on: push\n');
  });

  test('the user’s changes on the host do not count as the command’s', async () => {
    using project = repository(person);
    const { uid } = person;
    const child = spawn(binary, ['run', '--staged', '--', 'sh', '-c', 'echo ready; sleep 2; echo x > made'], {
      cwd: project.workspace,
      env: project.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(process.getuid?.() === uid ? {} : { uid, gid: uid }),
    });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    const hook = project.write('.git/hooks/pre-push', '#!/bin/sh\n');
    const settings = project.write('.vscode/settings.json', '{}');
    expect((await ended)[0]).toBe(0);
    expect([readFileSync(hook, 'utf8'), readFileSync(settings, 'utf8')]).toEqual(['#!/bin/sh\n', '{}']);
    expect(existsSync(join(project.state, 'quarantine'))).toBe(false);
  });

  test('git works: add, commit, branch, stash, worktree, gc', () => {
    using project = repository(person);
    const before = treeOf(project.workspace);
    const script =
      'set -e; echo 1 > a; git add a; git commit -qm second; git switch -qc topic; echo 2 >> a; git stash -q; git stash pop -q; git commit -qam third; git gc -q; git log --oneline | wc -l; git status --porcelain; git fsck --no-dangling';
    const { status, stdout, id } = stage(project, script);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '3\n' });
    expect(into(project, id, 'git log --format=%s; git branch --show-current').stdout).toBe(
      'third\nsecond\nfirst\ntopic\n',
    );
    expect(treeOf(project.workspace)).toBe(before);
  });

  test('a second root and the git directory of a linked worktree are staged too', () => {
    using project = repository(person);
    mkdirSync(join(project.root, 'second'));
    project.as('git', ['worktree', 'add', '-q', '../tree']);
    project.own();
    const before = treeOf(project.root);
    const cwd = join(project.root, 'tree');
    const { status, stderr } = project.holdfast(
      [
        'run',
        '--staged',
        '--write',
        '../second',
        '--',
        'sh',
        '-ec',
        'echo x > ../second/x; echo y > y; git add y; git commit -qm two',
      ],
      { cwd },
    );
    expect(status).toBe(0);
    const id = /review (\S+)/u.exec(stderr)?.[1] ?? '';
    expect(
      project.holdfast(
        ['run', '--into', id, '--write', '../second', '--', 'sh', '-c', 'cat ../second/x; git log --format=%s'],
        { cwd },
      ).stdout,
    ).toBe('x\ntwo\nfirst\n');
    const same = treeOf(project.root)
      .split('\n')
      .filter((line) => !line.includes('home'));
    expect(same).toEqual(before.split('\n').filter((line) => !line.includes('home')));
  });

  test('--into with a root that the layer lacks is refused', () => {
    using project = repository(person);
    mkdirSync(join(project.root, 'second'));
    const { id } = stage(project, 'echo x > x');
    const refused = project.holdfast(['run', '--into', id, '--write', '../second', '--', 'true']);
    expect(refused.status).toBe(125);
    expect(refused.stderr).toContain(
      `${join(project.root, 'second')} may be written, and the staged layer has no place for it`,
    );
    expect(refused.stderr).toContain('HF_GUARANTEE_MISSING');
  });

  test.each<[string, readonly string[], string]>([
    ['a writable grant of a single file', ['--write', '../single'], 'fs.stage'],
    ['bubblewrap', ['--backend', 'bubblewrap'], 'fs.stage'],
  ])('%s cannot be staged: refused, with a remedy, and without a layer', (_what, flags, guarantee) => {
    using project = repository(person);
    project.write('../single', '');
    const refused = stage(project, 'true', flags);
    expect(refused.status).toBe(125);
    expect(refused.stderr).toMatch(
      new RegExp(`${guarantee.replace('.', '\\.')}[^]*to fix it:[^]*HF_(GUARANTEE|BACKEND)_MISSING`, 'u'),
    );
    expect(layersIn(project)).toEqual([]);
  });

  test('a rule that keeps deleted files, or redirects, opens no access to the host', () => {
    using project = repository(person);
    for (const name of ['real/file', 'spare/file', 'precious']) project.write(name, `${name}\n`);
    const inside = (path: string): string => join(project.workspace, path);
    const rules = [
      `[[file]]\nname = "keep"\ndecision = "stage"\npaths = ["${inside('precious')}"]`,
      `[[file]]\nname = "lead"\ndecision = "redirect"\nredirect_to = "${inside('spare')}"\npaths = ["${inside('real')}"]`,
    ];
    project.write('../home/.config/holdfast/policy.toml', `version = 1\n${rules.join('\n')}\n`);
    project.own();
    const before = treeOf(project.workspace);
    const { stdout } = stage(
      project,
      'exec 2>&1; cat precious; (echo x >> precious); rm precious; mv precious moved; truncate -s 0 precious; chmod 777 precious; touch precious; echo new > real/file; echo new > real/new; cat spare/new',
    );
    expect(stdout).toMatch(/^precious\n/u);
    expect(stdout).toMatch(/\nnew\n$/u);
    expect(treeOf(project.workspace)).toBe(before);
    expect(existsSync(join(project.state, 'trash')) ? readdirSync(join(project.state, 'trash')) : []).toEqual([]);
  });

  test('a policy that requires staging accepts nothing less', () => {
    using project = repository(person);
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[require]\nguarantees = ["fs.stage"]\n');
    expect(project.holdfast(['run', '--', 'true'])).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/fs\.stage[^]*run with --staged \[HF_GUARANTEE_MISSING\]/u),
    });
    expect(stage(project, 'true').status).toBe(0);
  });

  test('a layer that grows too large ends the command, and is kept', () => {
    using project = repository(person);
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[limits]\nstaged = "10MiB"\n');
    const { status, stderr, id } = stage(
      project,
      'echo x > small; head -c 30000000 /dev/zero | tr "\\\\0" x > big; sleep 60',
    );
    expect(status).toBe(125);
    expect(stderr.match(/HF_QUOTA_EXCEEDED/gu)).toHaveLength(1);
    expect(stderr).toContain(`the staged layer ${id} uses 3`);
    expect(readFileSync(join(project.state, 'staged', id, '0/upper/small'), 'utf8')).toBe('x\n');
  });

  test('a layer survives the death of its supervisor', async () => {
    using project = repository(person);
    const { uid } = person;
    const child = spawn(
      join(import.meta.dirname, '../dist/holdfast.cjs'),
      ['run', '--staged', '--', 'sh', '-c', 'echo work > work; echo ready; sleep 60'],
      {
        cwd: project.workspace,
        env: project.environment,
        stdio: ['ignore', 'pipe', 'ignore'],
        ...(process.getuid?.() === uid ? {} : { uid, gid: uid }),
      },
    );
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await ended;
    await sleep(300);
    const [id = ''] = layersIn(project);
    expect(into(project, id, 'cat work')).toMatchObject({ status: 0, stdout: 'work\n' });
  });

  test('two commands at once in one layer: the second is refused, without any effect', async () => {
    using project = repository(person);
    const { id } = stage(project, 'echo 1 > x');
    const { uid } = person;
    const child = spawn(binary, ['run', '--into', id, '--', 'sh', '-c', 'echo ready; read line'], {
      cwd: project.workspace,
      env: project.environment,
      stdio: ['pipe', 'pipe', 'ignore'],
      ...(process.getuid?.() === uid ? {} : { uid, gid: uid }),
    });
    await once(child.stdout, 'data');
    expect(into(project, id, 'echo 2 > x')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('HF_STAGED_BUSY'),
    });
    child.stdin.end('go\n');
    await once(child, 'close');
    expect(into(project, id, 'cat x').stdout).toBe('1\n');
  });

  test('the journal names the layer of each command', () => {
    using project = repository(person);
    const { id } = stage(project, 'echo x > x');
    const events = readFileSync(join(project.state, 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly staged?: string });
    expect(events.find(({ type }) => type === 'session.start')).toMatchObject({ staged: id });
  });

  test('no box sees the layers themselves', () => {
    using project = repository(person);
    const { id } = stage(project, 'echo x > x');
    expect(
      into(project, id, `ls ${project.state}; find / -name layer.json 2>/dev/null; mount | grep -c upperdir || true`)
        .stdout,
    ).not.toContain(id + '/');
  });
});

describe('an unusable layer', () => {
  const [person = { name: '', uid: 0 }] = people;
  const damage: readonly [string, (layer: string) => void, string][] = [
    ['made by an older version', (layer) => writeFileSync(join(layer, 'layer.json'), '{"version":0}'), 'format 0'],
    [
      'with a field of a newer one',
      (layer) =>
        writeFileSync(
          join(layer, 'layer.json'),
          readFileSync(join(layer, 'layer.json'), 'utf8').replace('{', '{"more":1,'),
        ),
      '"more"',
    ],
    [
      'without its work directory',
      (layer) => renameSync(join(layer, '0/work'), join(layer, '0/away')),
      'work is missing',
    ],
    [
      'with a symlink for its upper directory',
      (layer) => (
        renameSync(join(layer, '0/upper'), join(layer, '0/away')), symlinkSync('/srv', join(layer, '0/upper'))
      ),
      'upper is missing',
    ],
  ];

  test.each(damage)('%s: one clear error, the data kept, and listed as a problem', (_what, hurt, message) => {
    using project = repository(person);
    const { id } = stage(project, 'echo work > work');
    const layer = join(project.state, 'staged', id);
    hurt(layer);
    const before = treeOf(layer);
    const refused = into(project, id, 'true');
    expect(refused.status).toBe(125);
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain('[HF_STAGED_INVALID]');
    expect(project.holdfast(['staged', 'list'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    const listed = JSON.parse(project.holdfast(['staged', 'list', '--json']).stdout) as object;
    expect(listed).toEqual({ layers: [], problems: [expect.objectContaining({ id, code: 'HF_STAGED_INVALID' })] });
    expect(treeOf(layer)).toBe(before);
  });

  test('of another workspace is refused', () => {
    using project = repository(person);
    const { id } = stage(project, 'echo x > x');
    mkdirSync(join(project.root, 'other'));
    project.own();
    expect(project.holdfast(['run', '--into', id, '--', 'true'], { cwd: join(project.root, 'other') })).toMatchObject({
      status: 125,
      stderr: expect.stringContaining(`belongs to ${project.workspace}`),
    });
  });

  test.each(['nothing', '../x', ''])('that is invalid: %j', (id) => {
    using project = repository(person);
    expect(into(project, id, 'true')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('HF_STAGED_INVALID'),
    });
  });
});
