import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { overlayScene, overlayTrouble } from './testing/overlay-scene.ts';
import { countChanges } from './count-changes.ts';
import { reviewOfLayer } from '../session/review-layer.ts';

const environment = { XDG_CONFIG_HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' };

describe.skipIf(overlayTrouble !== '')(`the number of changes${overlayTrouble}`, () => {
  test.each<{ readonly what: string; readonly host: string; readonly script: string; readonly changed: number }>([
    { what: 'new directories', host: 'true', script: 'mkdir -p a/b; touch a/b/c', changed: 3 },
    { what: 'a renamed file', host: 'echo text > a', script: 'mv a b', changed: 1 },
    { what: 'a deleted directory', host: 'mkdir a; touch a/b a/c', script: 'rm -r a', changed: 3 },
    { what: 'a file that was changed back', host: 'touch a', script: 'chmod 600 a; chmod 644 a', changed: 0 },
  ])('is that of the review: $what', ({ host, script, changed }) => {
    const scene = overlayScene(`umask 022; ${host}`);
    scene.stage(`umask 022; ${script}`);
    expect(countChanges(scene.layer)).toEqual({ changed, counted: 'exactly' });
    expect(reviewOfLayer(scene.layer, { environment }).changes).toHaveLength(changed);
  });

  test.each([
    ['many entries', 'mkdir d; cd d; seq 1001 | xargs touch', 1001],
    ['much content', 'truncate -s 65M a', 1],
    ['a large deleted directory', 'rm -r big', 1],
  ])('is estimated for %s', (_what, script, changed) => {
    const scene = overlayScene('mkdir big; cd big; seq 1001 | xargs touch');
    scene.stage(script);
    expect(countChanges(scene.layer)).toEqual({ changed, counted: 'about' });
  });

  test('is estimated without the workspace', () => {
    const scene = overlayScene('true');
    scene.stage('touch a');
    execFileSync('rm', ['-r', scene.host]);
    expect(countChanges(scene.layer)).toEqual({ changed: 1, counted: 'about' });
  });
});
