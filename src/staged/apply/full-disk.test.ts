import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { applyLayer } from './accept.ts';
import { currentChanges } from './bases.ts';
import { undoLayer } from './undo.ts';
import { openLayer } from '../store/open-layer.ts';
import { snapshot } from './testing/snapshot.ts';
import { stageScene, stageTrouble, type StageScene } from './testing/stage-scene.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const program = (name: string) => `${process.execPath} ${join(import.meta.dirname, 'testing', name)}`;

/** Runs a script with a small disk mounted on a directory, and returns its output. */
function onSmallDisk(directory: string, script: string): string {
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-Urm', 'sh', '-ec', `mount -t tmpfs -o size=2m tmpfs ${directory}\n${script}`],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function fillUpper({ layer }: StageScene): void {
  const upper = layer.roots[0]?.upper ?? '';
  mkdirSync(join(upper, 'd'));
  writeFileSync(join(upper, 'd/small'), 'small');
  writeFileSync(join(upper, 'old'), 'new');
  writeFileSync(join(upper, 'z-large'), Buffer.alloc(3_000_000, 'x'));
}

describe(`a full disk${stageTrouble}`, () => {
  test.skipIf(stageTrouble !== '')(
    'while accepting: everything is put back, it says so, and the layer is as it was',
    () => {
      const scene = stageScene('');
      fillUpper(scene);
      const upper = () => snapshot(scene.layer.roots[0]?.upper ?? '', 'entries');
      const before = upper();
      const output = onSmallDisk(
        scene.host,
        `echo 1 >${scene.host}/old; ${program('accept-main.ts')} ${scene.state} ${scene.layer.id}; cd ${scene.host}; find . | sort; cat old`,
      );
      expect(output).toBe('HF_DISK_FULL\n.\n./old\n1\n');
      expect(upper()).toEqual(before);
    },
  );

  test.skipIf(stageTrouble !== '')('where the record is kept: nothing is accepted', () => {
    const scene = stageScene('head -c 3000000 /dev/zero >zeros; echo 1 >a');
    const script = `mkdir -p ${scene.state}/staged; cp -a ${scene.directory}/saved/. ${scene.state}/staged; ${program('accept-main.ts')} ${scene.state} ${scene.layer.id}`;
    writeFileSync(join(scene.layer.roots[0]?.upper ?? '', 'zeros'), 'less');
    writeFileSync(join(scene.layer.roots[0]?.upper ?? '', 'a'), '2');
    const before = snapshot(scene.host);
    spawnSync('cp', ['-a', join(scene.state, 'staged'), join(scene.directory, 'saved')]);
    expect(onSmallDisk(scene.state, script)).toBe('HF_DISK_FULL\n');
    expect(snapshot(scene.host)).toEqual(before);
  });
});

describe(`many files${stageTrouble}`, () => {
  test.skipIf(stageTrouble !== '')('are accepted and taken back', { timeout: 120_000 }, () => {
    const count = rounds(3000);
    const scene = stageScene('mkdir many; for i in $(seq 1000); do echo $i >many/$i; done');
    const before = snapshot(scene.host);
    const staged = scene.stage(
      `for i in $(seq 500); do echo more >>many/$i; done; for i in $(seq 501 700); do rm many/$i; done; mkdir new; for i in $(seq ${count}); do echo $i >"new/$i"; done`,
    );
    // The removed entries have the content of new ones, so they count as renames.
    expect(currentChanges(scene.layer)).toHaveLength(count + 501);
    applyLayer(openLayer(scene.state, scene.layer.id), { state: scene.state });
    expect(snapshot(scene.host, 'entries')).toEqual(staged);
    undoLayer({ state: scene.state, workspace: scene.host });
    expect(snapshot(scene.host)).toEqual(before);
  });
});
