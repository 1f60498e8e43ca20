import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { applyLayer } from '../accept.ts';
import { listAccepts } from '../record.ts';
import { undoLayer } from '../undo.ts';
import { recoverAccepts } from '../unmake.ts';
import { openLayer } from '../../store/open-layer.ts';
import { changeEverything, everything } from './everything.ts';
import { snapshot } from './snapshot.ts';
import { keptScene, removeAll, type SceneChoices, type StageScene } from './stage-scene.ts';

export interface KillReport {
  /** Processes that were killed before their end. */
  readonly killed: number;
  readonly problems: readonly string[];
}

/** Many files make the time between the first and the last step long enough to hit. */
const many = 'mkdir many; for i in $(seq 300); do echo $i >many/$i; done';
const changeMany =
  'for i in $(seq 200); do echo more >>many/$i; done; rm many/2??; mkdir made; for i in $(seq 200); do echo new $i >made/$i; done';

/**
 * Starts accepts and undos and kills each after a random time. The next command must find the host in its earlier or
 * its staged state. No temporary names may be left on the host, and the layer must be complete.
 */
export async function acceptKillSweep({
  rounds,
  ...choices
}: SceneChoices & { readonly rounds: number }): Promise<KillReport> {
  const scene = keptScene(`${everything}\n${many}`, choices);
  try {
    const comparable = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('/links/')).join('\n');
    const before = comparable(snapshot(scene.host));
    const staged = comparable(scene.stage(`${changeEverything}\n${changeMany}`));
    const problems: string[] = [];
    mkdirSync(join(scene.state, 'accepted'), { mode: 0o700 });
    let killed = 0;
    let longest = firstLongest;
    for (let round = 0; round < rounds; round++) {
      const action = round % 2 === 0 ? 'accept' : 'undo';
      if (action === 'undo')
        applyLayer(openLayer(scene.state, scene.layer.id), { state: scene.state, conflicts: 'overwrite' });
      const hit = await runAndKill(scene, { action, longest });
      killed += hit ? 1 : 0;
      longest *= hit ? 1.3 : 0.6;
      const conflicts = recoverAccepts(scene.state).flatMap((each) => each.conflicts);
      if (conflicts.length > 0) problems.push(`round ${round}, ${action}: conflicts ${conflicts.join(' ')}`);
      if (listAccepts(scene.state).length > 0) {
        if (comparable(snapshot(scene.host, 'entries')) !== staged)
          problems.push(`round ${round}, ${action}: it is accepted, but not whole`);
        undoLayer({ state: scene.state, workspace: scene.host });
      }
      if (comparable(snapshot(scene.host)) !== before)
        problems.push(`round ${round}, ${action}: the host is not as before`);
      if (readdirSync(join(scene.state, 'accepted')).length > 0) {
        problems.push(`round ${round}, ${action}: something is left`);
        spawnSync('sh', ['-c', `ls -laR ${scene.state}/accepted | head -50`], { stdio: 'inherit' });
      }
      let shown = '';
      try {
        shown = comparable(scene.stage('true'));
      } catch (error) {
        console.log('CAUGHT', round, action, String(error), scene.directory, scene.state);
        spawnSync(
          'sh',
          [
            '-c',
            `ls -laR ${scene.state}/staged/*/ 2>&1 | head -300; find ${scene.state} -path '*opaque*' -exec ls -ld {} + ; find ${scene.host}/opaque -exec ls -ld {} +; python3 -c "
import os,sys
for d,ds,fs in os.walk('${scene.state}'):
  for n in ds+fs:
    p=os.path.join(d,n)
    try: print(p,[(a,os.getxattr(p,a,follow_symlinks=False)) for a in os.listxattr(p,follow_symlinks=False)])
    except Exception as e: print(p,e)
"`,
          ],
          { stdio: 'inherit' },
        );
        try {
          scene.stage('true');
          console.log('SECOND OK');
        } catch (e) {
          console.log('SECOND', String(e));
        }
        process.exit(9);
      }
      if (shown !== staged) problems.push(`round ${round}, ${action}: the layer is not as before`);
      if (problems.length > 0) break;
    }
    return { killed, problems };
  } finally {
    for (const path of [scene.directory, scene.state]) removeAll(path);
  }
}

/** Milliseconds: the approximate time of this scene's accept. Approaches the time on this machine. */
const firstLongest = 200;

interface Shot {
  readonly action: 'accept' | 'undo';
  /** Milliseconds: the latest moment of the kill. */
  readonly longest: number;
}

async function runAndKill({ state, layer, host }: StageScene, { action, longest }: Shot): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'accept-main.ts'), state, action === 'accept' ? layer.id : host, action],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // The process reports when it begins, because starting it takes longer than the accept.
  child.stderr.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * longest));
  const signal = await new Promise<string | null>((resolve) => child.once('exit', (_, by) => resolve(by)));
  return signal === 'SIGKILL';
}
