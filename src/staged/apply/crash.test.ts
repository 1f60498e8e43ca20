import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyLayer } from './accept.ts';
import { undoLayer } from './undo.ts';
import { recoverAccepts } from './unmake.ts';
import { openLayer } from '../store/open-layer.ts';
import { crashAt, crashes } from './testing/crash.ts';
import { changeEverything, everything } from './testing/everything.ts';
import { snapshot } from './testing/snapshot.ts';
import { quickPlace, stageScene, stageTrouble, type SceneChoices } from './testing/stage-scene.ts';
import { step } from '../../../scripts/testing/extent.ts';

const places: readonly (readonly [string, SceneChoices])[] = [
  ['on one file system', { within: quickPlace }],
  ['on two file systems', { within: quickPlace, stateIn: '/var/tmp' }],
];

describe.each(places)(`a process that dies %s${stageTrouble}`, (_, choices) => {
  const whole = (host: string) =>
    snapshot(host).filter((line) => choices.stateIn === undefined || !line.startsWith('/links/'));

  test.skipIf(stageTrouble !== '')(
    'while it accepts: at each moment the next command puts everything back, or ends it',
    { timeout: 300_000 },
    () => {
      const scene = stageScene(everything, choices);
      const before = whole(scene.host);
      const staged = scene.stage(changeEverything);
      let [backwards, forwards] = [0, 0];
      const dies = (moment: number): boolean => {
        const pace = crashAt(moment);
        if (!crashes(() => applyLayer(openLayer(scene.state, scene.layer.id), { state: scene.state, pace })))
          return false;
        // The process that recovers dies as well, a little later each time.
        crashes(() => recoverAccepts(scene.state, crashAt(moment % 23)));
        const [recovered] = recoverAccepts(scene.state);
        expect(recovered?.conflicts ?? []).toEqual([]);
        if (snapshot(scene.host, 'entries').join() === staged.join()) {
          undoLayer({ state: scene.state, workspace: scene.host });
          forwards++;
        } else backwards++;
        expect(whole(scene.host), `moment ${moment}`).toEqual(before);
        expect(readdirSync(`${scene.state}/accepted`)).toEqual([]);
        return true;
      };
      let end = 0;
      while (dies(end)) end += step(3);
      undoLayer({ state: scene.state, workspace: scene.host });
      // Recovery completes an accept only if it died in its last moments, so each of those is tried.
      for (end -= 6; dies(end); end += 1);
      expect(snapshot(scene.host, 'entries')).toEqual(staged);
      expect(forwards).toBeGreaterThan(0);
      expect(backwards).toBeGreaterThan(80 / step(3));
    },
  );

  test.skipIf(stageTrouble !== '')('while it undoes: the next command ends it', { timeout: 300_000 }, () => {
    const scene = stageScene(everything, choices);
    const before = whole(scene.host);
    const staged = scene.stage(changeEverything);
    for (let moment = 0; ; moment += step(5)) {
      applyLayer(openLayer(scene.state, scene.layer.id), { state: scene.state });
      expect(snapshot(scene.host, 'entries'), `moment ${moment}`).toEqual(staged);
      const crashed = crashes(() => undoLayer({ state: scene.state, workspace: scene.host, pace: crashAt(moment) }));
      expect(
        crashed ? recoverAccepts(scene.state).flatMap(({ conflicts }) => conflicts) : [],
        `moment ${moment}`,
      ).toEqual([]);
      expect(whole(scene.host), `moment ${moment}`).toEqual(before);
      expect(readdirSync(`${scene.state}/accepted`)).toEqual([]);
      if (!crashed) break;
    }
  });
});
