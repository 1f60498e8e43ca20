import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attack } from '../runner/attack.ts';
import { isProgram } from '../runner/machine.ts';
import { stage } from '../runner/stage.ts';
import { columns, type Rig } from './columns.ts';
import type { Exploit } from './exploits.ts';
import { verdictOf, type Cell } from './verdict.ts';

export interface MatrixOptions {
  readonly tools: string;
  /** Path of the installed `holdfast`. */
  readonly holdfast: string;
  readonly attacks: readonly Attack[];
}

/** One exploit in every column, as an ordinary user. Rejects for an inconclusive run. */
export async function performExploit(
  { attack: name }: Exploit,
  { tools, holdfast, attacks }: MatrixOptions,
): Promise<readonly Cell[]> {
  const attack = attacks.find((candidate) => candidate.name === name);
  if (attack === undefined) throw new Error(`there is no attack ${name}`);
  const cells: Cell[] = [];
  for (const { title, rig } of columns) {
    const command = commandOf(rig, holdfast);
    if (command === 'absent') {
      cells.push({ kind: 'not run here' });
      continue;
    }
    const backend = rig.kind === 'holdfast' ? rig.backend : 'native';
    const staged = await stage(
      { attack, variant: undefined, user: 'user' },
      { tools, holdfast: command, backend, ownWork: new Set() },
    );
    if (staged.kind === 'no setup') throw new Error(`${name}, ${title}: its setup failed: ${staged.log}`);
    cells.push(inColumn(title, () => verdictOf(attack.rows, staged.performance)));
  }
  return cells;
}

function inColumn<Value>(title: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    throw new Error(`in the column ${title}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The program in place of `holdfast`. Undefined: the agent itself. */
function commandOf(rig: Rig, holdfast: string): string | undefined {
  switch (rig.kind) {
    case 'control':
      return undefined;
    case 'holdfast':
      return holdfast;
    case 'stand-in':
      return rig.program === undefined || isProgram(rig.program) ? standIn(rig.script, holdfast) : 'absent';
    case 'not run here':
      return 'absent';
  }
}

/** The stand-ins are in the installation, below a name that scripts take for Holdfast's. */
export function installStandIns(holdfast: string): void {
  for (const { rig } of columns) {
    if (rig.kind !== 'stand-in') continue;
    const target = standIn(rig.script, holdfast);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(import.meta.dirname, 'columns', `${rig.script}.sh`), target);
    chmodSync(target, 0o755);
  }
}

function standIn(script: string, holdfast: string): string {
  return join(dirname(holdfast), '../columns', script, 'bin/holdfast');
}
