import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { changedPaths } from './changed-paths.ts';
import { createLayer } from './create-layer.ts';
import { layerBytes } from './layer-bytes.ts';
import { holdLayer, withLayerLock } from './lock-layer.ts';
import { findLayers, listLayers, openLayer, removeLayer } from './open-layer.ts';

interface Place {
  readonly state: string;
  readonly root: string;
  readonly second: string;
}

function place(): Place {
  const top = mkdtempSync('/var/tmp/holdfast-store-');
  onTestFinished(() => void spawnSync('rm', ['-rf', top]));
  const [state, root, second] = [join(top, 'state'), join(top, 'root'), join(top, 'second')];
  for (const directory of [root, second]) mkdirSync(directory);
  return { state, root, second };
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const layerOf = ({ state, root }: Place) => createLayer(state, { workspace: root, roots: [root] });

describe('createLayer', () => {
  test('makes a private directory with an upper and a work directory for each root', () => {
    const { state, root, second } = place();
    const layer = createLayer(state, { workspace: root, roots: [root, second] });
    expect(layer).toMatchObject({
      workspace: root,
      directory: join(state, 'staged', layer.id),
      id: expect.stringMatching(/^[a-z0-9]+-[0-9a-f]{4}$/u),
    });
    expect(layer.roots.map(({ root: over }) => over)).toEqual([root, second]);
    for (const { upper, work } of layer.roots) expect([readdirSync(upper), readdirSync(work)]).toEqual([[], []]);
    expect([modeOf(join(state, 'staged')), modeOf(layer.directory)]).toEqual([0o700, 0o700]);
    expect(JSON.parse(readFileSync(join(layer.directory, 'layer.json'), 'utf8'))).toEqual({
      version: 1,
      workspace: root,
      roots: [root, second],
      created: layer.created,
    });
  });

  test.each([0o755, 0o700, 0o2775, 0o1777, 0o500])('gives the upper directory the mode of the root: %o', (mode) => {
    const at = place();
    chmodSync(at.root, mode);
    expect(modeOf(layerOf(at).roots[0]?.upper ?? '')).toBe(mode);
  });

  test('never makes the same one twice', () => {
    const at = place();
    expect(new Set(Array.from({ length: 20 }, () => layerOf(at).id)).size).toBe(20);
  });

  test('says so where nothing can be written', () => {
    const at = place();
    writeFileSync(at.state, 'a file');
    expect(() => layerOf(at)).toThrow(
      expect.objectContaining({ code: 'HF_STATE_UNWRITABLE', remedy: expect.stringContaining('XDG_STATE_HOME') }),
    );
  });
});

describe('leftovers of anyone who was killed', () => {
  test('go with the next layer, once unused', () => {
    const at = place();
    const all = join(at.state, 'staged');
    for (const name of ['.new-old', '.removed-old', '.other']) mkdirSync(join(all, name, 'sub'), { recursive: true });
    const kept = layerOf(at);
    expect(readdirSync(all).toSorted()).toEqual(['.new-old', '.other', '.removed-old', kept.id].toSorted());
    vi.useFakeTimers({ now: Date.now() + 3_700_000 });
    onTestFinished(() => void vi.useRealTimers());
    const next = layerOf(at);
    expect(readdirSync(all).toSorted()).toEqual(['.other', kept.id, next.id].toSorted());
  });
});

describe('openLayer', () => {
  test('returns the created one', () => {
    const at = place();
    const layer = layerOf(at);
    expect(openLayer(at.state, layer.id)).toEqual(layer);
  });

  test.each(['', '.', '..', 'a/b', '../staged', '.new-x', 'nothing', '-x', 'a\0b'])('%j is not a layer', (id) => {
    const at = place();
    layerOf(at);
    expect(() => openLayer(at.state, id)).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_INVALID', remedy: expect.stringContaining('staged list') }),
    );
  });

  const whole = { version: 1, workspace: '/srv/project', roots: ['/srv/project'], created: 1 };
  test.each<[string, string]>([
    ['an older version', JSON.stringify({ ...whole, version: 0 })],
    ['a newer version', JSON.stringify({ ...whole, version: 2, more: 1 })],
    ['an unknown field', JSON.stringify({ ...whole, more: 1 })],
    ['no version', JSON.stringify({ ...whole, version: undefined })],
    ['no roots', JSON.stringify({ ...whole, roots: [] })],
    ['a relative root', JSON.stringify({ ...whole, roots: ['srv'] })],
    ['a root with a NUL', JSON.stringify({ ...whole, roots: ['/srv\0'] })],
    ['a workspace that is not text', JSON.stringify({ ...whole, workspace: 1 })],
    ['a time that is none', JSON.stringify({ ...whole, created: '1' })],
    ['a list', '[]'],
    ['null', 'null'],
    ['half of it', '{"version":1,'],
    ['nothing', ''],
  ])('refuses a description with %s, and keeps the data', (_what, text) => {
    const at = place();
    const layer = layerOf(at);
    const work = join(layer.roots[0]?.upper ?? '', 'work-of-hours');
    writeFileSync(work, 'text');
    writeFileSync(join(layer.directory, 'layer.json'), text);
    expect(() => openLayer(at.state, layer.id)).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_INVALID', remedy: expect.stringContaining(layer.directory) }),
    );
    expect(readFileSync(work, 'utf8')).toBe('text');
  });

  test.each(['upper', 'work'] as const)(
    'refuses a layer without its %s directory, or with a symlink in its place',
    (which) => {
      const at = place();
      const layer = layerOf(at);
      const directory = layer.roots[0]?.[which] ?? '';
      renameSync(directory, `${directory}.away`);
      expect(() => openLayer(at.state, layer.id)).toThrow(
        expect.objectContaining({
          code: 'HF_STAGED_INVALID',
          message: expect.stringContaining(`${directory} is missing`),
        }),
      );
      symlinkSync(`${directory}.away`, directory);
      expect(() => openLayer(at.state, layer.id)).toThrow(expect.objectContaining({ code: 'HF_STAGED_INVALID' }));
    },
  );
});

describe('listLayers', () => {
  test('gives the layers of a workspace, newest first', () => {
    const at = place();
    const made = [layerOf(at), createLayer(at.state, { workspace: at.second, roots: [at.second] }), layerOf(at)];
    for (const [index, { directory }] of made.entries()) age(directory, index);
    const [first, second, third] = made.map(({ id }) => id);
    expect(listLayers(at.state).map(({ id }) => id)).toEqual([third, second, first]);
    expect(listLayers(at.state, at.root).map(({ id }) => id)).toEqual([third, first]);
  });

  test('without a state directory there are none', () => {
    expect(findLayers('/nowhere/at/all')).toEqual({ layers: [], problems: [] });
  });

  test('names unusable layers beside usable ones, and skips those being made or removed', () => {
    const at = place();
    const [good, bad] = [layerOf(at), layerOf(at)];
    writeFileSync(join(bad.directory, 'layer.json'), '{"version":0}');
    for (const name of ['.new-x', '.removed-x']) mkdirSync(join(at.state, 'staged', name));
    const { layers, problems } = findLayers(at.state);
    expect(layers).toEqual([good]);
    expect(problems).toEqual([
      {
        id: bad.id,
        error: expect.objectContaining({ code: 'HF_STAGED_INVALID', message: expect.stringContaining('format 0') }),
      },
    ]);
  });

  function age(directory: string, created: number): void {
    const file = join(directory, 'layer.json');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), created }));
  }
});

describe('holdLayer', () => {
  test('is for one at a time, in this process too, and is given back', () => {
    const layer = layerOf(place());
    const hold = holdLayer(layer);
    expect(() => holdLayer(layer)).toThrow(
      expect.objectContaining({
        code: 'HF_STAGED_BUSY',
        details: { holder: process.pid },
        message: expect.stringContaining(`process ${process.pid}`),
      }),
    );
    hold.release();
    holdLayer(layer).release();
  });

  test('ends with its holder, however that ends', () => {
    const layer = layerOf(place());
    const [openPath, lockPath] = ['open-layer.ts', 'lock-layer.ts'].map((name) =>
      JSON.stringify(join(import.meta.dirname, name)),
    );
    const script = `const { openLayer } = await import(${openPath}); const { holdLayer } = await import(${lockPath}); holdLayer(openLayer(${JSON.stringify(join(layer.directory, '../..'))}, ${JSON.stringify(layer.id)})); process.kill(process.pid, 'SIGKILL');`;
    expect(
      spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { encoding: 'utf8' }),
    ).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    expect(readFileSync(join(layer.directory, 'lock'), 'utf8').trim()).not.toBe('');
    holdLayer(layer).release();
  });

  test('of a missing layer says so', () => {
    const layer = layerOf(place());
    removeLayer(layer);
    expect(() => holdLayer(layer)).toThrow(expect.objectContaining({ code: 'HF_STAGED_INVALID' }));
  });

  test('does not follow a symlink', () => {
    const at = place();
    const layer = layerOf(at);
    symlinkSync(join(at.root, 'victim'), join(layer.directory, 'lock'));
    expect(() => holdLayer(layer)).toThrow(expect.objectContaining({ code: 'HF_STATE_UNWRITABLE' }));
    expect(existsSync(join(at.root, 'victim'))).toBe(false);
  });

  test('withLayerLock gives the result, and gives back after a failure', async () => {
    const layer = layerOf(place());
    await expect(withLayerLock(layer, async () => Promise.resolve(7))).resolves.toBe(7);
    await expect(withLayerLock(layer, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(withLayerLock(layer, () => withLayerLock(layer, () => 1))).rejects.toMatchObject({
      code: 'HF_STAGED_BUSY',
    });
    await expect(withLayerLock(layer, () => 1)).resolves.toBe(1);
  });
});

describe('removeLayer', () => {
  test('takes it from the list and leaves nothing', () => {
    const at = place();
    const layer = layerOf(at);
    writeFileSync(join(layer.roots[0]?.upper ?? '', 'file'), 'x');
    removeLayer(layer);
    expect(readdirSync(join(at.state, 'staged'))).toEqual([]);
  });
});

describe('a layer’s content', () => {
  const upperWith = (script: string): ReturnType<typeof layerOf> => {
    const layer = layerOf(place());
    expect(spawnSync('bash', ['-ec', script], { cwd: layer.roots[0]?.upper ?? '', encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    return layer;
  };

  test.each<[string, string, number]>([
    ['nothing', 'true', 0],
    ['files, not the directories above them', 'mkdir -p a/b; touch a/b/1 a/b/2 3', 3],
    ['an empty directory', 'mkdir -p a/b', 1],
    ['links and pipes', 'ln -s x link; mkfifo pipe', 2],
    ['a name that is not UTF-8', "touch $'\\377'", 1],
  ])('changedPaths counts %s', (_what, script, count) => {
    expect(changedPaths(upperWith(script))).toBe(count);
  });

  test('layerBytes counts bytes on the disk, and a file with two names once', async () => {
    expect(await layerBytes(upperWith('true'))).toBe(0);
    const one = await layerBytes(upperWith('head -c 1000000 /dev/urandom > f'));
    expect(one).toBeGreaterThanOrEqual(1_000_000);
    expect(await layerBytes(upperWith('head -c 1000000 /dev/urandom > f; ln f g'))).toBe(one);
    expect(await layerBytes(upperWith('truncate -s 1G sparse'))).toBeLessThan(100_000);
  });

  test('layerBytes does not let anything hide in a tree that is too deep to be named', async () => {
    const layer = upperWith('n=$(printf "%0200d" 0); for i in $(seq 30); do mkdir $n; cd -P $n; done');
    expect(await layerBytes(layer)).toBe(Infinity);
    removeLayer(layer);
    expect(lstatSync(layer.directory, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a layer that changes during the count is not a failure', async () => {
    const layer = upperWith('mkdir -p d; for i in $(seq 300); do echo x > d/$i; done');
    const upper = layer.roots[0]?.upper ?? '';
    const counted = layerBytes(layer);
    rmSync(join(upper, 'd'), { recursive: true });
    utimesSync(upper, 1, 1);
    expect(await counted).toBeLessThan(10_000_000);
  });
});
