import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StagedLayer } from '../../types.ts';

/** A host directory, and the effects of commands on it in an overlay. */
export interface Scene {
  /** Real path of the host's directory. */
  readonly host: string;
  readonly layer: StagedLayer;
  /** Runs a shell script in the overlay's top directory. Several runs add to one layer. Throws if it fails. */
  stage(script: string): void;
}

/** Makes a scene below /var/tmp. `script` builds the host's tree. */
export function overlayScene(script: string): Scene {
  const directory = mkdtempSync('/var/tmp/holdfast-changes-');
  onTestFinished(() => removeScene(directory));
  const [host, upper, work, merged] = ['host', 'upper', 'work', 'merged'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [host, upper, work, merged]) mkdirSync(path);
  const layer: StagedLayer = {
    id: 'test',
    directory,
    workspace: host,
    created: Date.now(),
    roots: [{ root: host, upper, work }],
  };
  // Files that the layer copies must be older than the clock tick of the copy.
  run(['sh', '-ec', `${script}\nsleep 0.02`], host);
  return { host, layer, stage: (commands) => run(inOverlay({ host, upper, work, merged }, commands), directory) };
}

interface Places {
  readonly host: string;
  readonly upper: string;
  readonly work: string;
  readonly merged: string;
}

/** Runs a shell script over the first root of a layer of a store. */
export function stageInto({ directory, roots: [root] }: StagedLayer, script: string): void {
  if (root === undefined) throw new Error('a layer without roots');
  const merged = join(directory, 'merged');
  mkdirSync(merged, { recursive: true });
  onTestFinished(() => removeScene(directory));
  run(inOverlay({ host: root.root, upper: root.upper, work: root.work, merged }, script), directory);
}

function inOverlay({ host, upper, work, merged }: Places, commands: string): readonly string[] {
  const mount = `mount -t overlay overlay -o 'lowerdir=${host},upperdir=${upper},workdir=${work},userxattr' ${merged}`;
  return ['unshare', '-Urm', 'sh', '-ec', `${mount}\ncd ${merged}\n${commands}`];
}

/** The reason why overlays do not work on this machine, or an empty text. It goes into the names of skipped tests. */
export const overlayTrouble: string = (() => {
  const directory = mkdtempSync('/var/tmp/holdfast-changes-');
  const places = {
    host: join(directory, 'a'),
    upper: join(directory, 'b'),
    work: join(directory, 'c'),
    merged: join(directory, 'd'),
  };
  for (const path of Object.values(places)) mkdirSync(path);
  const [program = '', ...argv] = inOverlay(places, 'true');
  const { status } = spawnSync(program, argv);
  removeScene(directory);
  return status === 0 ? '' : ' (NOT TRIED: this user can mount no overlay here)';
})();

/** Work directories of overlays have no permissions at all. */
function removeScene(directory: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', directory]);
  rmSync(directory, { recursive: true, force: true });
}

function run([program = '', ...argv]: readonly string[], cwd: string): void {
  // Kills its children too, because a child that waits for the other end of a FIFO would keep the mount forever.
  const { status, stderr } = spawnSync('timeout', ['-s', 'KILL', '60', program, ...argv], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}
