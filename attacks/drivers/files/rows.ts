import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Files } from '../../../src/files/index.ts';
import { change, refusalCode, type AttackOperation } from './operate.ts';

export interface RowsScene {
  readonly arena: string;
  readonly canary: string;
  readonly files: Files;
}

/** Milliseconds in which a watcher that leads outside would have reported a change there. */
const patience = 300;

/** Performs the operations of every row, the third column of the table, in turn. `ws/loot` gets all read content. */
export async function performRows(table: string, scene: RowsScene): Promise<void> {
  for (const line of readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '')) {
    const [name = '', , listed = '[]'] = line.split('\t');
    for (const operation of JSON.parse(fill(listed, name, scene)) as readonly AttackOperation[])
      await performOne(name, operation, scene);
    appendFileSync(`${scene.arena}/ws/tried`, `${name}\n`);
  }
}

async function performOne(name: string, operation: AttackOperation, { arena, files }: RowsScene): Promise<void> {
  try {
    const loot = await obtain(files, operation);
    appendFileSync(`${arena}/ws/loot`, Buffer.concat([loot, Buffer.from('\n')]));
  } catch (error) {
    console.error(`${name}: ${operation.op}: ${refusalCode(error)}`);
  }
}

function fill(text: string, row: string, { arena, canary }: RowsScene): string {
  return text
    .replaceAll('$HERE', `${arena}/ws/${row}`)
    .replaceAll('$OUT', `${arena}/outside/${row}`)
    .replaceAll('$ROW', row)
    .replaceAll('$CANARY', canary);
}

async function obtain(files: Files, o: AttackOperation): Promise<Buffer> {
  const { path = '' } = o;
  switch (o.op) {
    case 'read':
      return files.read(path);
    case 'list':
      return Buffer.from((await files.list(path)).map(({ name }) => name).join(' '));
    case 'readlink':
      return files.readlink(path, { encoding: 'buffer' });
    case 'temporaryFile':
      return Buffer.from((await files.temporaryFile({ directory: path })).path);
    case 'temporaryDirectory':
      return Buffer.from((await files.temporaryDirectory({ directory: path })).path);
    case 'watch':
      return watched(files, path, o.sh ?? 'true');
    case 'host':
      onHost(o.sh ?? 'true');
      return Buffer.alloc(0);
    default:
      await change(files, o);
      return Buffer.alloc(0);
  }
}

async function watched(files: Files, path: string, sh: string): Promise<Buffer> {
  await using watcher = await files.watch(path);
  onHost(sh);
  const events = (async () => {
    for await (const event of watcher) return Buffer.from(JSON.stringify(event));
    return Buffer.alloc(0);
  })();
  return Promise.race([events, sleep(patience, Buffer.alloc(0))]);
}

function onHost(script: string): void {
  const { status } = spawnSync('sh', ['-c', script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`on the host \`${script}\` ended with ${status}`);
}
