import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overlayTrouble, stageInto } from '../staged/changes/testing/overlay-scene.ts';
import { createLayer } from '../staged/store/create-layer.ts';
import { reviewCommand } from './review.ts';
import { scene } from './testing/run.ts';

/** Layers over one workspace, the newest last. */
function staged(...scripts: readonly string[]) {
  const { workspace, journal, run } = scene();
  const state = dirname(journal);
  writeFileSync(join(workspace, 'old'), 'old\n');
  execFileSync('sleep', ['0.02']);
  const ids = scripts.map((script) => {
    const layer = createLayer(state, { workspace, roots: [workspace] });
    stageInto(layer, script);
    execFileSync('sleep', ['0.005']);
    return layer.id;
  });
  return { workspace, state, ids, run: (...argv: readonly string[]) => run(reviewCommand, ...argv) };
}

describe.skipIf(overlayTrouble !== '')(`holdfast review${overlayTrouble}`, () => {
  test('shows the newest layer as one JSON document without a terminal', async () => {
    const { workspace, ids, run } = staged('echo 1 > first', 'echo 2 > second; rm old');
    const { status, stdout, stderr } = await run();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      layer: ids[1],
      workspace,
      counts: { added: 1, deleted: 1, conflicts: 0 },
      changes: [
        { kind: 'deleted', path: 'old' },
        { kind: 'added', path: 'second', after: { mode: '0644', size: 2 } },
      ],
    });
  });

  test('shows the layer that is named, in the detail that is asked for', async () => {
    const { workspace, ids, run } = staged('echo 1 > first; echo 2 >> old', 'echo 2 > second');
    expect((await run(ids[0] ?? '', '--name-only')).stdout).toBe('first\nold\n');
    expect((await run(ids[0] ?? '', '--stat')).stdout).toBe(
      `${ids[0]}: 2 changes in ${workspace}: 1 added, 1 modified\nA first | +1 -0\nM old | +1 -0\n`,
    );
    expect((await run(ids[0] ?? '', '--patch', 'old')).stdout).toContain('@@ -1 +1,2 @@\n old\n+2\n');
    expect(JSON.parse((await run(ids[0] ?? '', '--json', '--patch')).stdout)).toMatchObject({
      changes: [{ patch: '@@ -0,0 +1 @@\n+1\n' }, {}],
    });
  });

  test('takes words that name no layer for paths', async () => {
    const { workspace, run } = staged('mkdir d; echo 1 > d/a; echo 2 > b');
    expect((await run('d', '--name-only')).stdout).toBe('d\nd/a\n');
    expect((await run(join(workspace, 'b'), '--name-only')).stdout).toBe('b\n');
    expect(await run('nothing')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining(`has no changes in ${workspace}/nothing`),
    });
  });

  test('names the next step when nothing is staged, or not here', async () => {
    const { workspace, run } = scene();
    expect(await run(reviewCommand)).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(
        new RegExp(`nothing is staged for ${workspace}\\n.*holdfast run --staged.*HF_STAGED_INVALID`, 'u'),
      ),
    });
  });

  test('refuses two details at once', async () => {
    const { run } = staged('echo 1 > a');
    expect(await run('--stat', '--patch')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('--patch and --stat cannot be combined'),
    });
  });

  test('changes nothing', async () => {
    const { workspace, state, ids, run } = staged('echo 1 > a; rm old');
    const before = execFileSync('find', [
      workspace,
      join(state, 'staged', ids[0] ?? '', '0/upper'),
      '-printf',
      '%p %m %s %T@\n',
    ]).toString();
    await run('--patch');
    expect(
      execFileSync('find', [
        workspace,
        join(state, 'staged', ids[0] ?? '', '0/upper'),
        '-printf',
        '%p %m %s %T@\n',
      ]).toString(),
    ).toBe(before);
  });
});

const built = join(import.meta.dirname, '../../dist/cli/review.cjs');
const trouble = overlayTrouble === '' && !existsSync(built) ? ' (NOT TRIED: it is not built)' : overlayTrouble;

describe.skipIf(trouble !== '')(`holdfast review on a terminal${trouble}`, () => {
  /** Runs the command on a terminal of its own, and returns the output. */
  function onTerminal(environment: Readonly<Record<string, string>>): string {
    const { workspace, state } = staged(String.raw`printf 'new\033[2J\n' >> old`);
    const program = join(import.meta.dirname, '../../dist/holdfast.cjs');
    mkdirSync(join(dirname(state), 'config'), { recursive: true });
    return execFileSync('script', ['-qec', `'${process.execPath}' '${program}' review`, '/dev/null'], {
      cwd: workspace,
      env: {
        PATH: '/usr/bin:/bin',
        TERM: 'xterm',
        HOME: '/nowhere',
        XDG_STATE_HOME: dirname(state),
        XDG_CONFIG_HOME: join(dirname(state), 'config'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .replaceAll('\r', '');
  }

  test('goes through the pager, in colours', () => {
    const text = onTerminal({ PAGER: 'sed s/^/PAGED:/' });
    expect(text).toMatch(/^PAGED:.\[1m\S+: 1 change in /mu);
    expect(text).toContain(`PAGED:\u001B[32m+new\\u{1b}[2J\u001B[m`);
    expect(text).not.toContain('\u001B[2J');
  });

  test.each([{ PAGER: '' }, { PAGER: 'cat' }, { PAGER: 'no-such-pager --really' }])(
    'comes out plainly with %j',
    (environment) => {
      expect(onTerminal({ NO_COLOR: '1', ...environment })).toMatch(/\n\+new\\u\{1b\}\[2J\n\nto apply it: .*\n$/u);
    },
  );

  test('does not mind a reader who has seen enough', () => {
    expect(onTerminal({ PAGER: 'head -n 1' })).toMatch(/1 change in/u);
  });
});
