import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyLayer } from './accept.ts';
import { undoLayer } from './undo.ts';
import { recoverAccepts } from './unmake.ts';
import { isHoldfastError } from '../../errors/index.ts';
import { openLayer } from '../store/open-layer.ts';
import { rounds } from '../../../scripts/testing/extent.ts';
import { withRecordLock, listAccepts } from './record.ts';
import { crashAt, crashes, crashFrom } from './testing/crash.ts';
import { snapshot } from './testing/snapshot.ts';
import { stageScene, stageTrouble } from './testing/stage-scene.ts';

const trial = test.skipIf(stageTrouble !== '');

/** Swaps `a/parent` with a symlink to `outside` as fast as it can, until it is killed. */
const swapper = `
import ctypes, sys
libc = ctypes.CDLL(None)
a, b = sys.argv[1].encode(), sys.argv[2].encode()
print('ready', flush=True)
while True: libc.renameat2(-100, a, -100, b, 2)`;

/** Most attempts end in a conflict. Only changes outside count. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isHoldfastError(error) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

async function swapping(parent: string, outside: string): Promise<() => void> {
  symlinkSync(outside, `${parent}-other`);
  const child = spawn('python3', ['-c', swapper, parent, `${parent}-other`], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return () => void child.kill('SIGKILL');
}

describe.each([
  ['on one file system', undefined],
  ['on two file systems', '/dev/shm'],
])(`a parent that becomes a symlink again and again, %s${stageTrouble}`, (_, stateIn) => {
  trial('leads nothing out of the workspace', { timeout: 600_000 }, async () => {
    const scene = stageScene(
      'mkdir parent; echo old >parent/old; echo old >parent/gone',
      stateIn === undefined ? {} : { stateIn },
    );
    scene.stage(
      'echo new >parent/new; echo newer >>parent/old; rm parent/gone; for i in $(seq 30); do echo $i >parent/$i; done',
    );
    const outside = mkdtempSync('/var/tmp/holdfast-outside-');
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    for (const name of ['old', 'gone']) writeFileSync(join(outside, name), 'outside');
    const before = snapshot(outside);
    const stop = await swapping(join(scene.host, 'parent'), outside);
    for (let tries = 0; tries < 60; tries++) {
      attempt(() => applyLayer(openLayer(scene.state, scene.layer.id), { state: scene.state, conflicts: 'overwrite' }));
      attempt(() => undoLayer({ state: scene.state, workspace: scene.host }));
    }
    stop();
    expect(snapshot(outside)).toEqual(before);
  });

  trial('leads a naive applier out: the control', { timeout: 600_000 }, async () => {
    const directory = mkdtempSync('/var/tmp/holdfast-naive-');
    const outside = mkdtempSync('/var/tmp/holdfast-outside-');
    onTestFinished(() => [directory, outside].forEach((path) => rmSync(path, { recursive: true, force: true })));
    mkdirSync(join(directory, 'parent'));
    const stop = await swapping(join(directory, 'parent'), outside);
    for (let count = 0; count < 100_000 && readdirSync(outside).length === 0; count++)
      writeFileSync(join(directory, 'parent', String(count % 50)), 'x');
    stop();
    expect(readdirSync(outside).length).toBeGreaterThan(0);
  });
});

describe(`a damaged journal${stageTrouble}`, () => {
  const interrupted = () => {
    const scene = stageScene('echo 1 >a; echo 1 >b; echo 1 >c');
    scene.stage('echo 2 >>a; echo 2 >>b; rm c');
    expect(crashes(() => applyLayer(scene.layer, { state: scene.state, pace: crashAt(9) }))).toBe(true);
    const [record = ''] = readdirSync(join(scene.state, 'accepted'));
    return {
      ...scene,
      record: join(scene.state, 'accepted', record),
      journal: join(scene.state, 'accepted', record, 'journal'),
    };
  };

  trial.each([
    [
      'a flipped bit',
      (file: string) =>
        writeFileSync(
          file,
          Buffer.from(readFileSync(file)).map((byte, index) => (index === 300 ? byte ^ 1 : byte)),
        ),
    ],
    ['a cut end', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 400))],
    [
      'a missing line',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').split('\n').toSpliced(1, 1).join('\n')),
    ],
    ['nothing in it', (file: string) => writeFileSync(file, '')],
    ['something else in it', (file: string) => writeFileSync(file, 'garbage\n\n')],
    ['added garbage', (file: string) => appendFileSync(file, 'garbage\n')],
  ])('with %s is an error with the remedy; nothing is touched', (_, damage) => {
    const { state, layer, host, journal, record } = interrupted();
    damage(journal);
    const before = [snapshot(host), snapshot(record), snapshot(layer.roots[0]?.upper ?? '')];
    const refusal = expect.objectContaining({
      code: 'HF_STAGED_INVALID',
      remedy: expect.stringContaining(`${record}/host`),
    });
    expect(() => recoverAccepts(state)).toThrow(refusal);
    expect(() => applyLayer(layer, { state })).toThrow(refusal);
    expect(() => undoLayer({ state, workspace: host })).toThrow(refusal);
    expect([snapshot(host), snapshot(record), snapshot(layer.roots[0]?.upper ?? '')]).toEqual(before);
  });

  trial('of another version is an error too', () => {
    const { state, journal } = interrupted();
    const [head = '', ...rest] = readFileSync(journal, 'utf8').split('\n');
    const body = head.slice(17).replace('"version":1', '"version":0');
    const sum = spawnSync('sha256sum', { input: body, encoding: 'utf8' }).stdout.slice(0, 16);
    writeFileSync(journal, [`${sum} ${body}`, ...rest].join('\n'));
    expect(() => recoverAccepts(state)).toThrow(
      expect.objectContaining({
        code: 'HF_STAGED_INVALID',
        message: expect.stringMatching(/another version.*format 0/u),
      }),
    );
  });

  trial('whose last line was being written when the machine stopped is whole without it', () => {
    const { state, journal, host } = interrupted();
    appendFileSync(journal, '0123456789abcdef {"mark":"com');
    expect(recoverAccepts(state)).toMatchObject([{ outcome: 'rolled-back', conflicts: [] }]);
    expect(['a', 'b', 'c'].map((name) => readFileSync(join(host, name), 'utf8'))).toEqual(['1\n', '1\n', '1\n']);
  });
});

describe(`after an interrupted accept${stageTrouble}`, () => {
  trial('what someone changed meanwhile stays, and what was there before is kept', () => {
    const scene = stageScene('echo 1 >a; echo 1 >b; echo 1 >c');
    scene.stage('echo 2 >>a; echo 2 >>b; rm c');
    crashes(() => applyLayer(scene.layer, { state: scene.state, pace: crashFrom('synced') }));
    scene.change('echo mine >c');
    const [recovered] = recoverAccepts(scene.state);
    expect(recovered).toMatchObject({ outcome: 'rolled-back', conflicts: [join(scene.host, 'c')] });
    expect(['a', 'b', 'c'].map((name) => readFileSync(join(scene.host, name), 'utf8'))).toEqual([
      '1\n',
      '1\n',
      'mine\n',
    ]);
    const kept = recovered?.kept ?? '';
    expect(readdirSync(join(kept, 'host')).map((name) => readFileSync(join(kept, 'host', name), 'utf8'))).toEqual([
      '1\n',
    ]);
    expect(recoverAccepts(scene.state)).toEqual([]);
  });

  trial('a root that is a symlink now is not followed', () => {
    const scene = stageScene('echo 1 >a');
    scene.stage('echo 2 >>a');
    renameSync(scene.host, `${scene.host}-moved`);
    symlinkSync(`${scene.host}-moved`, scene.host);
    expect(() => applyLayer(scene.layer, { state: scene.state })).toThrow();
    expect(readFileSync(join(`${scene.host}-moved`, 'a'), 'utf8')).toBe('1\n');
  });
});

describe('a record whose removal was killed', () => {
  function halfRemoved(): { readonly state: string; readonly left: string } {
    const state = mkdtempSync('/var/tmp/holdfast-records-');
    onTestFinished(() => rmSync(state, { recursive: true, force: true }));
    const left = join(state, 'accepted', '.removed-old');
    mkdirSync(join(left, 'host'), { recursive: true });
    writeFileSync(join(left, 'host', '0'), 'old entry');
    return { state, left };
  }

  test('goes with the next command', () => {
    const { state, left } = halfRemoved();
    expect(recoverAccepts(state)).toEqual([]);
    expect(existsSync(left)).toBe(false);
  });

  test('stays while another process removes it', () => {
    const { state, left } = halfRemoved();
    withRecordLock(left, () => expect(recoverAccepts(state)).toEqual([]));
    expect(existsSync(left)).toBe(true);
  });

  // Attack: a command that recovers meanwhile takes the new record for an abandoned one, and the accept reports
  // success.
  trial('an accept beside commands that recover is made, or says that it was not', { timeout: 120_000 }, async () => {
    const scene = stageScene('echo 1 >a');
    const source = join(import.meta.dirname, 'unmake.ts');
    const script = `const { recoverAccepts } = await import(${JSON.stringify(source)}); console.log('ready'); for (;;) try { recoverAccepts(${JSON.stringify(scene.state)}); } catch {}`;
    const others = [0, 1].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    onTestFinished(() => others.forEach((other) => other.kill('SIGKILL')));
    await Promise.all(others.map((other) => new Promise((resolve) => other.stdout.once('data', resolve))));
    const lost: string[] = [];
    for (let count = 0; count < rounds(40); count++) {
      scene.stage(`echo ${count} >a; echo ${count} >b; echo ${count} >rest`);
      const names = ['a', 'b'].map((name) => Buffer.from(join(scene.host, name)));
      try {
        applyLayer(openLayer(scene.state, scene.layer.id), {
          state: scene.state,
          paths: names,
          conflicts: 'overwrite',
        });
      } catch (error) {
        if (!isHoldfastError(error) || error.code !== 'HF_STAGED_BUSY') throw error;
        continue;
      }
      if (readFileSync(join(scene.host, 'a'), 'utf8') !== `${count}\n`) lost.push(`round ${count}`);
    }
    expect(lost).toEqual([]);
  });

  test('that just vanished is held by nobody', () => {
    const { left } = halfRemoved();
    expect(withRecordLock(`${left}-gone`, () => 'held')).toBeUndefined();
  });
});

describe(`retention${stageTrouble}`, () => {
  trial('ten accepts of a workspace are kept', { timeout: 600_000 }, () => {
    const scene = stageScene('echo 1 >a');
    for (let count = 0; count < 12; count++) {
      scene.stage(`echo ${count} >file-${count}; echo rest-${count} >rest`);
      applyLayer(scene.layer, { state: scene.state, paths: [Buffer.from(join(scene.host, `file-${count}`))] });
    }
    expect(listAccepts(scene.state, scene.host)).toHaveLength(10);
    expect(existsSync(join(scene.state, 'accepted'))).toBe(true);
    for (let count = 0; count < 10; count++) undoLayer({ state: scene.state, workspace: scene.host });
    expect(readdirSync(scene.host)).toEqual(['a', 'file-0', 'file-1']);
    expect(() => undoLayer({ state: scene.state, workspace: scene.host })).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
  });
});
