import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snapshot } from '../kernel/testing/snapshot.ts';
import { apply, changes, openAll } from './testing/change.ts';
import { arrange, type Scene } from './testing/scene.ts';
import { rounds } from '../../scripts/testing/extent.ts';

/** Each try has its own directory, which is removed before the next. */
function inScene(use: (scene: Scene) => void): void {
  const top = realpathSync(mkdtempSync('/var/tmp/holdfast-laws-'));
  try {
    use(arrange(top));
  } finally {
    openAll(top);
    rmSync(top, { recursive: true, force: true });
  }
}

describe('any tree, and any change to it', () => {
  test('restoring makes it identical, and restoring that undoes it', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) =>
        inScene(({ workspace, checkpoints }) => {
          for (const change of first) apply(workspace, change);
          const then = snapshot(workspace);
          const { summary } = checkpoints.create('then');
          for (const change of second) apply(workspace, change);
          const now = snapshot(workspace);
          const { undo, skipped } = checkpoints.restore(summary.id);
          expect(skipped).toEqual([]);
          expect(snapshot(workspace)).toEqual(then);
          expect(checkpoints.diff(summary.id).differences).toEqual([]);
          if (undo !== undefined) checkpoints.restore(undo);
          expect(snapshot(workspace)).toEqual(now);
        }),
      ),
      { numRuns: rounds(40) },
    );
  });

  test('a checkpoint based on the previous one equals one that reads everything', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) =>
        inScene(({ workspace, checkpoints, open, directory }) => {
          for (const change of first) apply(workspace, change);
          checkpoints.create();
          for (const change of second) apply(workspace, change);
          const remembered = checkpoints.create().entries;
          expect(remembered).toEqual(open({ directory: `${directory}-fresh` }).create().entries);
        }),
      ),
      { numRuns: rounds(40) },
    );
  });
});
