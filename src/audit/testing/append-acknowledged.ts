/**
 * A separate process that appends events one by one, and reports each kept event: `node append-acknowledged.ts JOURNAL
 * NAME COUNT ROTATE-AT`. Every third event is of a kind that must be on the disk before its effect.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { appendEvents } from '../journal.ts';
import { refusalEvent, startEvent } from './events.ts';

const [, , file = '', name = '', count = '0', rotateAt = '0'] = process.argv;
const stdout = 1;
for (let index = 0; index < Number(count); index += 1) {
  const session = `${name}-${index}`;
  appendEvents(file, [index % 3 === 2 ? refusalEvent(session) : startEvent(session)], { rotateAt: Number(rotateAt) });
  writeSync(stdout, `${session}\n`);
}
