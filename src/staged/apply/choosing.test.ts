import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Judge } from '../changes/judge.ts';
import { applyLayer } from './accept.ts';
import { currentChanges } from './bases.ts';
import { dropLayer } from './discard.ts';
import { undoLayer } from './undo.ts';
import { listLayers, openLayer } from '../store/open-layer.ts';
import { snapshot } from './testing/snapshot.ts';
import { stageScene, stageTrouble, type StageScene } from './testing/stage-scene.ts';

const trial = test.skipIf(stageTrouble !== '');
const namesOf = (scene: StageScene) =>
  currentChanges(openLayer(scene.state, scene.layer.id)).map(({ kind, path }) => `${kind} ${path}`);
const read = (scene: StageScene, name: string) => readFileSync(join(scene.host, name), 'utf8');
const at = (scene: StageScene, ...names: readonly string[]) => names.map((name) => Buffer.from(join(scene.host, name)));

/** Refuses every path that contains the word. */
const refuses =
  (word: string): Judge =>
  ({ path }) =>
    path.includes(word) ? { rule: 'test', reason: 'protected' } : undefined;

describe(`accepting a part${stageTrouble}`, () => {
  trial('leaves the rest staged, and the layer shows the same', () => {
    const scene = stageScene('mkdir d; echo 1 >d/a; echo 2 >d/b; echo 3 >c');
    const staged = scene.stage(
      'echo x >>d/a; echo y >>d/b; rm c; mkdir -p new/deep; echo n >new/deep/n; echo o >new/o',
    );
    const report = applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'd/a', 'new/deep') });
    expect(report.accepted.map(({ path }) => String(path))).toEqual(['d/a', 'new', 'new/deep', 'new/deep/n']);
    expect(report.left).toBe(3);
    expect([read(scene, 'd/a'), read(scene, 'd/b'), read(scene, 'new/deep/n')]).toEqual(['1\nx\n', '2\n', 'n\n']);
    expect(namesOf(scene)).toEqual(['deleted c', 'modified d/b', 'added new/o']);
    expect(scene.stage('true')).toEqual(staged);
    applyLayer(scene.layer, { state: scene.state });
    expect(snapshot(scene.host, 'entries')).toEqual(staged);
  });

  trial('of an opaque directory shows the same as well', () => {
    const scene = stageScene('mkdir -p d/sub; echo 1 >d/a; echo 2 >d/b; echo 3 >d/sub/c');
    const before = snapshot(scene.host);
    const staged = scene.stage('rm -r d; mkdir d; echo new >d/a; mkdir d/sub; echo e >d/sub/e');
    applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'd/a') });
    expect(scene.stage('true')).toEqual(staged);
    expect(namesOf(scene).toSorted()).toEqual(['added d/sub/e', 'deleted d/b', 'deleted d/sub/c']);
    applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'd/sub') });
    expect(scene.stage('true')).toEqual(staged);
    applyLayer(scene.layer, { state: scene.state });
    expect(snapshot(scene.host, 'entries')).toEqual(staged);
    for (const _ of [1, 2, 3]) undoLayer({ state: scene.state, workspace: scene.host });
    expect(snapshot(scene.host)).toEqual(before);
    expect(scene.stage('true')).toEqual(staged);
  });

  trial('of hard links never shares a file between layer and host', () => {
    const scene = stageScene('echo 1 >x');
    scene.stage('echo 2 >a; ln a b');
    applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'a') });
    scene.stage('echo meanwhile >>b');
    expect(read(scene, 'a')).toBe('2\n');
    expect(lstatSync(join(scene.host, 'a')).nlink).toBe(1);
  });

  trial('of what was not changed is an error', () => {
    const scene = stageScene('echo 1 >x');
    scene.stage('echo 2 >>x');
    expect(() => applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'y') })).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
    expect(read(scene, 'x')).toBe('1\n');
  });
});

describe(`what cannot be accepted${stageTrouble}`, () => {
  trial('a protected name: nothing is accepted, or all but it', () => {
    const scene = stageScene('echo 1 >x; mkdir old; echo k >old/keep; echo h >old/hook');
    scene.stage('echo 2 >>x; mkdir -p hooks; echo other >hooks/pre; rm -r old');
    const judge = refuses('hook');
    expect(() => applyLayer(scene.layer, { state: scene.state, judge })).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_REFUSED', message: expect.stringMatching(/hooks\/pre": protected/u) }),
    );
    expect(read(scene, 'x')).toBe('1\n');
    const report = applyLayer(scene.layer, { state: scene.state, judge, otherwise: 'rest' });
    expect(read(scene, 'x')).toBe('1\n2\n');
    expect(existsSync(join(scene.host, 'hooks'))).toBe(false);
    // A directory stays if an entry in it must stay.
    expect(readdirSync(join(scene.host, 'old'))).toEqual(['hook']);
    expect(report.leftOut.map(({ change, reason }) => `${change.path} ${reason}`).toSorted()).toEqual([
      'hooks refused',
      'hooks/pre refused',
      'old parent',
      'old/hook refused',
    ]);
  });

  trial('a reason with a line break forges no second message', () => {
    const scene = stageScene('echo 1 >x');
    scene.stage('echo 2 >>x');
    const judge = () => ({ rule: 'own', reason: 'd\nholdfast: accepted 3 changes' });
    expect(() => applyLayer(scene.layer, { state: scene.state, judge })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/: d\\u\{a\}holdfast: accepted 3 changes$/u) }),
    );
  });

  trial(
    'what is newer on the host: shown, never overwritten unless told to; undo brings it back, as a conflict still',
    () => {
      const scene = stageScene('echo 1 >x; echo 1 >y; echo 1 >z');
      scene.stage('echo mine >>x; rm y; echo mine >fresh; echo mine >>z');
      scene.change('echo theirs >>x; echo theirs >>y; echo theirs >fresh');
      expect(() => applyLayer(scene.layer, { state: scene.state })).toThrow(
        expect.objectContaining({ code: 'HF_STAGED_CONFLICT', message: expect.stringMatching(/3 of the changes/u) }),
      );
      applyLayer(scene.layer, { state: scene.state, otherwise: 'rest' });
      expect(['x', 'y', 'fresh', 'z'].map((name) => read(scene, name))).toEqual([
        '1\ntheirs\n',
        '1\ntheirs\n',
        'theirs\n',
        '1\nmine\n',
      ]);
      applyLayer(scene.layer, { state: scene.state, conflicts: 'overwrite' });
      expect([read(scene, 'x'), existsSync(join(scene.host, 'y')), read(scene, 'fresh')]).toEqual([
        '1\nmine\n',
        false,
        'mine\n',
      ]);
      undoLayer({ state: scene.state, workspace: scene.host });
      expect(['x', 'y', 'fresh', 'z'].map((name) => read(scene, name))).toEqual([
        '1\ntheirs\n',
        '1\ntheirs\n',
        'theirs\n',
        '1\nmine\n',
      ]);
      expect(
        currentChanges(openLayer(scene.state, scene.layer.id)).map(({ conflict }) => conflict !== undefined),
      ).toEqual([true, true, true]);
    },
  );

  trial('what changes while it is accepted: all is put back', () => {
    const scene = stageScene('echo 1 >a; echo 1 >b; mkdir d; echo 1 >d/x');
    const staged = scene.stage('echo 2 >>a; echo 2 >>b; rm -r d');
    let steps = 0;
    const pace = (moment: string): void => {
      if (moment === 'step' && steps++ === 2) scene.change('echo theirs >>b');
    };
    expect(() => applyLayer(scene.layer, { state: scene.state, pace })).toThrow(
      expect.objectContaining({
        code: 'HF_STAGED_CONFLICT',
        message: expect.stringMatching(/b": it was changed on the host just now; everything is as it was/u),
      }),
    );
    expect([read(scene, 'a'), read(scene, 'b'), read(scene, 'd/x')]).toEqual(['1\n', '1\ntheirs\n', '1\n']);
    expect(scene.stage('true')).toEqual(staged);
    expect(readdirSync(join(scene.state, 'accepted'))).toEqual([]);
  });

  trial('a file that appears in a directory which is being removed stays, and so does the directory', () => {
    const scene = stageScene('mkdir d; echo 1 >d/x');
    scene.stage('rm -r d');
    let steps = 0;
    const pace = (moment: string): void => {
      if (moment === 'step' && steps++ === 1) scene.change('echo theirs >d/fresh');
    };
    expect(() => applyLayer(scene.layer, { state: scene.state, pace })).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_CONFLICT' }),
    );
    expect([read(scene, 'd/x'), read(scene, 'd/fresh')]).toEqual(['1\n', 'theirs\n']);
  });
});

describe(`undo refuses${stageTrouble}`, () => {
  trial('what was changed on the host since', () => {
    const scene = stageScene('echo 1 >a; echo 1 >b');
    scene.stage('echo 2 >>a; rm b');
    applyLayer(scene.layer, { state: scene.state });
    scene.change('echo mine >>a; echo mine >b');
    expect(() => undoLayer({ state: scene.state, workspace: scene.host })).toThrow(
      expect.objectContaining({
        code: 'HF_STAGED_CONFLICT',
        details: { paths: [join(scene.host, 'b'), join(scene.host, 'a')] },
      }),
    );
    expect([read(scene, 'a'), read(scene, 'b')]).toEqual(['1\n2\nmine\n', 'mine\n']);
  });

  trial('what was staged again since', () => {
    const scene = stageScene('echo 1 >a; echo 1 >b');
    scene.stage('echo 2 >>a; echo 2 >>b');
    applyLayer(scene.layer, { state: scene.state, paths: at(scene, 'a') });
    scene.stage('echo 3 >>a');
    expect(() => undoLayer({ state: scene.state, workspace: scene.host })).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_CONFLICT', message: expect.stringMatching(/staged again/u) }),
    );
    expect(read(scene, 'a')).toBe('1\n2\n');
  });

  trial('when nothing was accepted', () => {
    const scene = stageScene('');
    expect(() => undoLayer({ state: scene.state, workspace: scene.host })).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
  });
});

describe(`discarding${stageTrouble}`, () => {
  trial('a part shows the host there again, whatever hid it', () => {
    const scene = stageScene(
      'mkdir -p d/sub gone/deep; echo 1 >d/a; echo 2 >d/b; echo 3 >d/sub/c; echo 4 >gone/x; echo 5 >gone/deep/y; echo 6 >m; echo 7 >ren',
    );
    const before = snapshot(scene.host);
    scene.stage(
      'rm -r d; mkdir d; echo new >d/a; rm -r gone; echo m >>m; chmod 600 m; mkdir fresh; echo f >fresh/f; mv ren named',
    );
    dropLayer(scene.layer, { state: scene.state, paths: at(scene, 'd/b', 'gone/deep/y', 'm', 'fresh', 'named') });
    expect(namesOf(scene)).toEqual(['modified d/a', 'deleted d/sub', 'deleted d/sub/c', 'deleted gone/x']);
    expect(scene.stage('cat d/b gone/deep/y m ren; ! test -e fresh; ! test -e gone/x').length).toBeGreaterThan(0);
    expect(dropLayer(scene.layer, { state: scene.state, paths: at(scene, '.') }).removed).toBe(true);
    expect(listLayers(scene.state)).toEqual([]);
    expect(snapshot(scene.host)).toEqual(before);
  });

  trial('everything removes the layer', () => {
    const scene = stageScene('echo 1 >a');
    scene.stage('echo 2 >>a; mkdir d; chmod 0 d');
    expect(dropLayer(scene.layer, { state: scene.state }).removed).toBe(true);
    expect(existsSync(scene.layer.directory)).toBe(false);
    expect(read(scene, 'a')).toBe('1\n');
  });
});
