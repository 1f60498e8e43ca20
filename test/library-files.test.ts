import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptLayer,
  discardLayer,
  listStaged,
  reviewLayer,
  reviewText,
  Sandbox,
  undoAccept,
  type SandboxOptions,
  type StagedChange,
} from '../src/sandbox/index.ts';
import { openSession, planBox } from '../src/session/session.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, ...options });
const stage = (project: Project, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  create(project, { staged: 'new', ...options });
const sh = (script: string): readonly string[] => ['sh', '-c', script];
const onHost = (project: Project): readonly string[] =>
  readdirSync(project.workspace)
    .filter((name) => name !== '.git')
    .toSorted();
const layersIn = ({ state }: Project): readonly string[] => readdirSync(join(state, 'staged'));
const named = (changes: readonly StagedChange[]): readonly string[] =>
  changes.map(({ kind, path }) => `${kind} ${path.toString()}`).toSorted();
const events = ({ state }: Project): readonly string[] =>
  readFileSync(join(state, 'journal.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => /"type":"(staged\.\w+)"/u.exec(line)?.[1] ?? []);

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += `${line}\n`;
  return text;
}

describe('a staged sandbox that continues', () => {
  test('is reviewed while a command runs, and whole or in parts', async () => {
    using project = new Project();
    project.write('kept', 'before\n');
    await using sandbox = await stage(project);
    const handle = sandbox.commands.start(
      sh('echo after > kept; mkdir -p src; echo new > src/new; echo ready; read line'),
    );
    await new Promise((resolve) => handle.stdout.once('data', resolve));
    const whole = await sandbox.review();
    expect(named(whole.changes)).toEqual(['added src', 'added src/new', 'modified kept']);
    expect(whole.counts).toMatchObject({ added: 2, modified: 1, conflicts: 0, refused: 0 });
    expect(named((await sandbox.review(['src'])).changes)).toEqual(['added src', 'added src/new']);
    expect(named((await sandbox.review([Buffer.from('kept')])).changes)).toEqual(['modified kept']);
    expect(await textOf(reviewText(whole))).toMatch(/-before\n\+after\n/u);
    expect(await textOf(reviewText(whole, 'names'))).toBe('kept\nsrc\nsrc/new\n');
    await expect(sandbox.review(['nowhere'])).rejects.toMatchObject({ code: 'HF_USAGE' });
    handle.stdin.end('\n');
    await handle.ended;
  });

  test('accepts, and its next command is in a new layer over the accepted files', async () => {
    using project = new Project();
    project.write('kept', 'before\n');
    await using sandbox = await stage(project);
    const { layer } = sandbox;
    await sandbox.commands.run(sh('echo after > kept; mkdir src; echo one > src/one'));
    await sandbox.files.write('src/two', 'two');
    const { accepted, left, leftOut } = await sandbox.accept();
    expect(named(accepted)).toEqual(['added src', 'added src/one', 'added src/two', 'modified kept']);
    expect([left, leftOut]).toEqual([0, []]);
    expect(onHost(project)).toEqual(['kept', 'src']);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('after\n');
    expect(sandbox.layer).not.toBe(layer);
    expect(layersIn(project)).toEqual([sandbox.layer]);
    expect(String((await sandbox.commands.run(sh('cat kept src/one src/two; echo more > src/three'))).stdout)).toBe(
      'after\none\ntwo',
    );
    expect(String(await sandbox.files.read('src/three'))).toBe('more\n');
    expect(readdirSync(join(project.workspace, 'src')).toSorted()).toEqual(['one', 'two']);
    expect(named((await sandbox.review()).changes)).toEqual(['added src/three']);
    expect(events(project)).toEqual(['staged.accept']);
  });

  test('accepts and discards paths, and keeps the rest in its layer', async () => {
    using project = new Project();
    await using sandbox = await stage(project);
    const { layer } = sandbox;
    await sandbox.commands.run(sh('echo 1 > one; echo 2 > two; echo 3 > three'));
    expect(await sandbox.accept(['one'])).toMatchObject({ left: 2 });
    expect(onHost(project)).toEqual(['one']);
    expect(named((await sandbox.discard(['two'])).discarded ?? [])).toEqual(['added two']);
    expect(sandbox.layer).toBe(layer);
    expect(String((await sandbox.commands.run(['ls'])).stdout)).toBe('one\nthree\n');
    await sandbox.files.write('one', 'again');
    expect(named((await sandbox.review()).changes)).toEqual(['added three', 'modified one']);
    expect(events(project)).toEqual(['staged.accept', 'staged.discard']);
  });

  test('discards everything, and continues', async () => {
    using project = new Project();
    project.write('kept', 'before\n');
    await using sandbox = await stage(project);
    await sandbox.commands.run(sh('rm kept; echo x > x'));
    expect(await sandbox.discard()).toMatchObject({ removed: true });
    expect(String((await sandbox.commands.run(['ls'])).stdout)).toBe('kept\n');
    expect((await sandbox.review()).changes).toEqual([]);
    expect(onHost(project)).toEqual(['kept']);
  });

  test('undoes: the host has its earlier files, and the sandbox the accepted ones', async () => {
    using project = new Project();
    project.write('kept', 'before\n');
    await using sandbox = await stage(project);
    const { layer } = sandbox;
    await sandbox.commands.run(sh('echo after > kept'));
    await sandbox.accept();
    expect((await sandbox.undo()).record).toMatchObject({ layer, workspace: project.workspace });
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('before\n');
    expect(sandbox.layer).toBe(layer);
    expect(layersIn(project)).toEqual([layer]);
    expect(String((await sandbox.commands.run(['cat', 'kept'])).stdout)).toBe('after\n');
    await expect(sandbox.undo()).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(String((await sandbox.commands.run(['cat', 'kept'])).stdout)).toBe('after\n');
  });

  test('undoes into a separate layer beside newer work', async () => {
    using project = new Project();
    await using sandbox = await stage(project);
    const { layer: first = '' } = sandbox;
    await sandbox.commands.run(sh('echo 1 > one'));
    await sandbox.accept();
    await sandbox.commands.run(sh('echo 2 > two'));
    const { layer: second = '' } = sandbox;
    expect((await sandbox.undo()).record.layer).toBe(first);
    expect(sandbox.layer).toBe(second);
    expect(layersIn(project).toSorted()).toEqual([first, second].toSorted());
    expect(named((await sandbox.review()).changes)).toEqual(['added two']);
    expect(onHost(project)).toEqual([]);
  });

  test('a conflicting change is refused without any effect, or skipped, by choice', async () => {
    using project = new Project();
    project.write('both', 'start\n');
    await using sandbox = await stage(project);
    await sandbox.commands.run(
      sh('echo box > both; mkdir .circleci; echo "{}" > .circleci/config.yml; echo fine > fine'),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    project.write('both', 'host\n');
    await expect(sandbox.accept(['.circleci'])).rejects.toMatchObject({ code: 'HF_STAGED_REFUSED' });
    await expect(sandbox.accept(['both'])).rejects.toMatchObject({ code: 'HF_STAGED_CONFLICT' });
    await expect(sandbox.accept()).rejects.toMatchObject({ code: 'HF_STAGED_REFUSED' });
    expect(onHost(project)).toEqual(['both']);
    const { accepted, leftOut } = await sandbox.accept(undefined, { otherwise: 'rest' });
    expect(named(accepted)).toEqual(['added fine']);
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['refused', 'conflict']));
    await sandbox.accept(['both'], { conflicts: 'overwrite' });
    expect(readFileSync(join(project.workspace, 'both'), 'utf8')).toBe('box\n');
    expect(onHost(project)).toEqual(['both', 'fine']);
    expect(String((await sandbox.commands.run(['cat', '.circleci/config.yml'])).stdout)).toBe('{}\n');
  });

  test('waits for running file calls, and refuses while a command runs', async () => {
    using project = new Project();
    await using sandbox = await stage(project);
    const handle = sandbox.commands.start(sh('echo 1 > one; read line'));
    await expect(sandbox.accept()).rejects.toMatchObject({
      code: 'HF_STAGED_BUSY',
      message: 'a command of this sandbox still runs',
    });
    handle.stdin.end('\n');
    await handle.ended;
    const writes = Array.from({ length: 50 }, (_, index) => sandbox.files.write(`files/${index}`, 'x'));
    const accepting = sandbox.accept();
    expect(() => sandbox.commands.start(['true'])).toThrow(expect.objectContaining({ code: 'HF_STAGED_BUSY' }));
    await expect(sandbox.discard()).rejects.toMatchObject({ code: 'HF_STAGED_BUSY' });
    await Promise.all(writes);
    await accepting;
    expect(readdirSync(join(project.workspace, 'files'))).toHaveLength(50);
    expect((await sandbox.commands.run(['true'])).exitCode).toBe(0);
  });

  test('accepts repeatedly, with commands in between', async () => {
    using project = new Project();
    await using sandbox = await stage(project);
    for (let round = 0; round < 5; round += 1) {
      const { exitCode } = await sandbox.commands.run(
        sh(`cat log 2>/dev/null | wc -l | grep -qx ${round} && echo ${round} >> log`),
      );
      expect(exitCode).toBe(0);
      await sandbox.accept();
    }
    expect(readFileSync(join(project.workspace, 'log'), 'utf8')).toBe('0\n1\n2\n3\n4\n');
    expect(layersIn(project)).toEqual([sandbox.layer]);
  });

  test('a named layer is gone after a complete accept, no empty one is left, and a second close does nothing', async () => {
    using project = new Project();
    const first = await stage(project);
    await first.commands.run(sh('echo x > x'));
    await first.close();
    const { layer = '' } = first;
    await using second = await stage(project, { staged: { into: layer } });
    await second.accept();
    expect(second.layer).not.toBe(layer);
    await Promise.all([second.close(), second.close()]);
    expect(layersIn(project)).toEqual([]);
  });

  test('closing waits for an accept, and makes no new layer', async () => {
    using project = new Project();
    const sandbox = await stage(project);
    await sandbox.commands.run(sh('echo x > x'));
    const accepting = sandbox.accept();
    await sandbox.close();
    expect(named((await accepting).accepted)).toEqual(['added x']);
    expect(onHost(project)).toEqual(['x']);
    expect(layersIn(project)).toEqual([]);
    for (const call of [sandbox.accept(), sandbox.discard(), sandbox.undo()])
      await expect(call).rejects.toMatchObject({ code: 'HF_USAGE', message: 'this sandbox is closed' });
    expect(onHost(project)).toEqual(['x']);
  });

  test('the result is reported even if no later layer can be made, and the next command gives the reason', async () => {
    using project = new Project();
    const session = await openSession({
      cwd: project.workspace,
      environment: project.libraryEnvironment,
      staged: 'new',
      stagedBoxes: 'many',
    });
    const { staging } = session;
    const idle = { rest: () => Promise.resolve(), resume: () => undefined };
    const told = await staging?.apart(idle, async ({ directory }) => {
      const layers = dirname(directory);
      renameSync(layers, `${layers}.away`);
      writeFileSync(layers, 'in the way');
      return { value: 'done' };
    });
    expect(told).toBe('done');
    const plan = planBox(session, { argv: ['true'] });
    expect(() => staging?.enter(plan)).toThrow(expect.objectContaining({ code: 'HF_STATE_UNWRITABLE' }));
    await expect(staging?.apart(idle, async () => ({ value: 'again' }))).rejects.toMatchObject({
      code: 'HF_STATE_UNWRITABLE',
    });
    expect(await staging?.close()).toMatchObject({ layer: 'removed' });
  });
});

describe('without staging', () => {
  test('review, accept, discard and undo have no effect', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    for (const call of [sandbox.review(), sandbox.accept(), sandbox.discard(), sandbox.undo()])
      await expect(call).rejects.toMatchObject({ code: 'HF_USAGE', message: expect.stringContaining('not staged') });
  });
});

describe('unused layers', () => {
  async function layerWith(project: Project, script: string): Promise<string> {
    await using sandbox = await stage(project);
    await sandbox.commands.run(sh(script));
    return sandbox.layer ?? '';
  }

  test('are listed, reviewed, accepted, undone and discarded by their ID', async () => {
    using project = new Project();
    const environment = project.libraryEnvironment;
    const id = await layerWith(project, 'echo 1 > one; echo 2 > two');
    const { layers, problems } = await listStaged({ environment });
    expect(layers).toEqual([
      { id, workspace: project.workspace, created: expect.any(Number), changed: 2, bytes: expect.any(Number) },
    ]);
    expect(problems).toEqual([]);
    expect(named((await reviewLayer(id, { environment })).changes)).toEqual(['added one', 'added two']);
    expect(named((await reviewLayer(id, { environment, paths: [join(project.workspace, 'one')] })).changes)).toEqual([
      'added one',
    ]);
    expect(await acceptLayer(id, { environment, paths: [join(project.workspace, 'one')] })).toMatchObject({ left: 1 });
    expect(onHost(project)).toEqual(['one']);
    expect((await undoAccept({ environment, workspace: project.workspace, layer: id })).record).toMatchObject({
      layer: id,
      entries: 1,
    });
    expect(onHost(project)).toEqual([]);
    expect(await discardLayer(id, { environment })).toMatchObject({ removed: true });
    expect((await listStaged({ environment })).layers).toEqual([]);
    expect(events(project)).toEqual(['staged.accept', 'staged.undo', 'staged.discard']);
  });

  test('are listed by workspace', async () => {
    using project = new Project();
    using other = new Project();
    const environment = project.libraryEnvironment;
    const [id, foreign] = [
      await layerWith(project, 'echo x > x'),
      await Sandbox.create({ workspace: other.workspace, environment, staged: 'new' }),
    ];
    await foreign.files.write('y', 'y');
    await foreign.close();
    const idsOf = async (workspace?: string): Promise<readonly string[]> =>
      (await listStaged({ environment, ...(workspace === undefined ? {} : { workspace }) })).layers.map(
        (layer) => layer.id,
      );
    expect(await idsOf()).toEqual([foreign.layer, id]);
    expect(await idsOf(project.workspace)).toEqual([id]);
    expect(await idsOf(other.workspace)).toEqual([foreign.layer]);
    expect(await idsOf('/srv/project')).toEqual([]);
  });

  test('are refused while a sandbox uses them, and if none exists', async () => {
    using project = new Project();
    const environment = project.libraryEnvironment;
    await using sandbox = await stage(project);
    await sandbox.commands.run(sh('echo x > x'));
    const { layer = '' } = sandbox;
    for (const call of [acceptLayer(layer, { environment }), discardLayer(layer, { environment })])
      await expect(call).rejects.toMatchObject({ code: 'HF_STAGED_BUSY' });
    for (const call of [
      reviewLayer('none', { environment }),
      acceptLayer('none', { environment }),
      discardLayer('../../..', { environment }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'HF_STAGED_INVALID' });
    await expect(undoAccept({ environment, workspace: project.workspace })).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(onHost(project)).toEqual([]);
  });
});

test('checkpoints: made, listed, compared, restored, removed', async () => {
  using project = new Project();
  project.write('kept', 'before\n');
  await using sandbox = await create(project);
  const { summary } = await sandbox.checkpoints.create('first');
  await sandbox.commands.run(sh('echo after > kept; echo new > new'));
  const { differences } = await sandbox.checkpoints.diff(summary.id);
  expect(differences.map(({ kind, path }) => `${kind} ${path}`).filter((text) => !text.startsWith('metadata'))).toEqual(
    ['modified kept', 'added new'],
  );
  const { undo = '' } = await sandbox.checkpoints.restore(summary.id);
  expect(onHost(project)).toEqual(['kept']);
  expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('before\n');
  expect((await sandbox.checkpoints.list()).map(({ id, name, origin }) => [id, name, origin])).toEqual([
    [summary.id, 'first', 'user'],
    [undo, expect.any(String), 'automatic'],
  ]);
  await sandbox.checkpoints.restore(undo);
  expect(onHost(project)).toEqual(['kept', 'new']);
  await sandbox.checkpoints.remove(summary.id);
  expect((await sandbox.checkpoints.list()).some(({ id }) => id === summary.id)).toBe(false);
  expect(await sandbox.checkpoints.pending()).toBeUndefined();
  await expect(sandbox.checkpoints.restore(summary.id)).rejects.toMatchObject({ code: 'HF_CHECKPOINT_FAILED' });
  await expect(sandbox.checkpoints.create('n'.repeat(201))).rejects.toMatchObject({ code: 'HF_USAGE' });
});

describe('the trash', () => {
  test('lists deletions of a box, restores them, and drops them', async () => {
    using project = new Project();
    project.write('docs/page.md', 'words\n');
    project.write('docs/other.md', 'other\n');
    await using sandbox = await trashing(project);
    const { mtimeNs } = statSync(join(project.workspace, 'docs/page.md'), { bigint: true });
    expect((await sandbox.commands.run(sh('rm docs/page.md docs/other.md'))).exitCode).toBe(0);
    expect(existsSync(join(project.workspace, 'docs/page.md'))).toBe(false);
    const entries = await sandbox.trash.list();
    expect(entries.map(({ path, cause, workspace }) => [path, cause, workspace])).toEqual(
      ['page.md', 'other.md'].map((name) => [join(project.workspace, 'docs', name), 'deleted', project.workspace]),
    );
    expect((await sandbox.trash.restore(entries[0]?.id ?? '')).toString()).toBe(
      join(project.workspace, 'docs/page.md'),
    );
    expect(statSync(join(project.workspace, 'docs/page.md'), { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect((await sandbox.trash.restore(entries[1]?.id ?? '', { to: 'elsewhere/other.md' })).toString()).toBe(
      join(project.workspace, 'elsewhere/other.md'),
    );
    expect(await sandbox.trash.list()).toEqual([]);
    await sandbox.files.remove('docs/page.md');
    expect(await sandbox.trash.purge(Date.now() - 60_000)).toEqual([]);
    const [again] = await sandbox.trash.list();
    expect(await sandbox.trash.purge()).toEqual([again?.id]);
    expect(await sandbox.trash.list()).toEqual([]);
    await expect(sandbox.trash.restore(again?.id ?? '')).rejects.toMatchObject({ code: 'HF_TRASH_FAILED' });
  });

  async function trashing(project: Project): Promise<Sandbox> {
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[file]]\nname = "docs-are-recoverable"\ndecision = "stage"\npaths = ["docs"]\n',
    );
    return create(project);
  }
});
