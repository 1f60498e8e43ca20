import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTree } from '../../kernel/index.ts';
import type { KeepRequest } from '../entry-file.ts';
import { Trash, type TrashOptions } from '../trash.ts';

export interface Scene {
  readonly workspace: string;
  readonly directory: string;
  readonly trash: Trash;
  readonly open: (options?: Partial<TrashOptions>) => Trash;
  /** A request about a path below the workspace. */
  readonly request: (name: string | Buffer, how?: KeepRequest['how']) => KeepRequest;
}

/** A workspace and a trash, on the same file system unless `place` names another one. */
export function scene(place = '/var/tmp'): Scene {
  const top = scratch('/var/tmp');
  const directory = join(place === '/var/tmp' ? top : scratch(place), 'state/trash');
  const workspace = join(top, 'workspace');
  mkdirSync(workspace);
  const request: Scene['request'] = (name, how = 'take') => ({
    path: Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name)]),
    workspace,
    session: 's1',
    cause: how === 'take' ? 'deleted' : 'overwritten',
    how,
  });
  const open: Scene['open'] = (options) => new Trash({ directory, ...options });
  return { workspace, directory, trash: open(), open, request };
}

function scratch(place: string): string {
  const directory = realpathSync(mkdtempSync(join(place, 'holdfast-trash-')));
  // Also removes read-only directories.
  onTestFinished(() => removeTree(directory));
  return directory;
}
