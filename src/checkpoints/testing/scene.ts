import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTree } from '../../kernel/index.ts';
import { type CheckpointOptions, Checkpoints } from '../checkpoints.ts';

export interface Scene {
  readonly workspace: string;
  /** Directory of checkpoints. */
  readonly directory: string;
  readonly checkpoints: Checkpoints;
  readonly open: (options?: Partial<CheckpointOptions>) => Checkpoints;
}

/** An empty workspace with a state directory beside it, on a real file system. */
export function scene(): Scene {
  const top = realpathSync(mkdtempSync('/var/tmp/holdfast-checkpoints-'));
  // Removes trees of any depth and with any modes.
  onTestFinished(() => removeTree(top));
  return arrange(top);
}

export function arrange(top: string): Scene {
  const [workspace, directory] = [join(top, 'workspace'), join(top, 'state/checkpoints')];
  mkdirSync(workspace, { recursive: true });
  const open: Scene['open'] = (options) => new Checkpoints({ directory, workspace, ...options });
  return { workspace, directory, checkpoints: open(), open };
}
