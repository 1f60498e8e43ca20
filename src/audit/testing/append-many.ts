/**
 * A separate process that appends: `node append-many.ts JOURNAL NAME COUNT`. Prints `begun`, and the error's code,
 * message and remedy as JSON if an event could not be kept.
 */
import process from 'node:process';
import { isHoldfastError } from '../../errors/index.ts';
import { appendEvents } from '../journal.ts';
import { startEvent } from './events.ts';

const [, , file = '', name = '', count = '0'] = process.argv;
process.stdout.write('begun\n');
try {
  for (let index = 0; index < Number(count); index += 1) appendEvents(file, [startEvent(`${name}-${index}`)]);
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  const { code, message, remedy } = error;
  process.stdout.write(`${JSON.stringify({ code, message, remedy })}\n`);
  process.exitCode = 1;
}
