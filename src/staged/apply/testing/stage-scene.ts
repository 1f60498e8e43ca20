import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { setAttribute } from '../../../kernel/index.ts';
import { createLayer } from '../../store/create-layer.ts';
import { openLayer } from '../../store/open-layer.ts';
import type { StagedLayer } from '../../types.ts';

/** A workspace, a state directory, and a layer over the workspace in the state directory. */
export interface StageScene {
  readonly directory: string;
  readonly host: string;
  readonly state: string;
  readonly layer: StagedLayer;
  /** Runs a shell script in the layer, and returns the layer's view afterwards. */
  stage(script: string): readonly string[];
  /** Runs a shell script on the host. */
  change(script: string): void;
}

export interface SceneChoices {
  /** Parent of the state directory. Default: beside the workspace. */
  readonly stateIn?: string;
  /** Default: below /var/tmp. */
  readonly within?: string;
}

/** `script` builds the workspace. */
export function stageScene(script: string, choices: SceneChoices = {}): StageScene {
  const scene = keptScene(script, choices);
  onTestFinished(() => {
    for (const path of [scene.directory, scene.state]) removeAll(path);
  });
  return scene;
}

/** A scene that the caller must remove. */
export function keptScene(script: string, { stateIn, within = '/var/tmp' }: SceneChoices = {}): StageScene {
  const directory = mkdtempSync(`${within}/holdfast-apply-`);
  const state = stateIn === undefined ? join(directory, 'state') : mkdtempSync(`${stateIn}/holdfast-apply-`);
  const [host, merged] = [join(directory, 'host'), join(directory, 'merged')];
  for (const path of [host, merged]) mkdirSync(path);
  const change = (commands: string) => void run(['sh', '-ec', commands], host);
  // Files that the layer copies must be older than the clock tick of the copy.
  change(`${script}\nsleep 0.02`);
  const layer = createLayer(state, { workspace: host, roots: [host] });
  return {
    directory,
    host,
    state,
    layer,
    change,
    stage: (commands) => stageInto(openLayer(state, layer.id), merged, commands),
  };
}

function stageInto({ roots: [root] }: StagedLayer, merged: string, commands: string): readonly string[] {
  const mount = `mount -t overlay overlay -o 'lowerdir=${root?.root},upperdir=${root?.upper},workdir=${root?.work},userxattr' ${merged}`;
  const show = `${process.execPath} ${join(import.meta.dirname, 'print-snapshot.ts')} .`;
  const output = run(['unshare', '-Urm', 'sh', '-ec', `${mount}\ncd ${merged}\n(${commands}\n) >&2\n${show}`], merged);
  return JSON.parse(output) as readonly string[];
}

/** A file system in memory, where syncing takes no time. Kernels before 6.6 keep no user attributes there. */
export const quickPlace: string = (() => {
  const file = mkdtempSync('/dev/shm/holdfast-apply-');
  try {
    setAttribute(file, 'user.holdfast', Buffer.from('1'));
    return '/dev/shm';
  } catch {
    return '/var/tmp';
  } finally {
    removeAll(file);
  }
})();

/** The reason why overlays do not work on this machine, or an empty text. It goes into the names of skipped tests. */
export const stageTrouble: string = (() => {
  const scene = keptScene('');
  try {
    scene.stage('true');
    return '';
  } catch {
    return ' (NOT TRIED: this user can mount no overlay here)';
  } finally {
    removeAll(scene.directory);
  }
})();

/** Work directories of overlays have no permissions at all. */
export function removeAll(path: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', path]);
  rmSync(path, { recursive: true, force: true });
}

function run([program = '', ...argv]: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, argv, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
