import { auditCommand } from '../audit/index.ts';
import type { Scene } from './run.ts';

/** The output of `holdfast audit show`, without the common part of each line. */
export async function eventsIn(run: Scene['run']): Promise<readonly unknown[]> {
  const { stdout } = await run(auditCommand, 'show');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => eventOf(JSON.parse(line) as Readonly<Record<string, unknown>>));
}

function eventOf({
  v: _v,
  seq: _seq,
  time: _time,
  mac: _mac,
  prev: _prev,
  ...event
}: Readonly<Record<string, unknown>>): unknown {
  return event;
}
