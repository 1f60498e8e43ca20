/**
 * Program: restores two checkpoints in turn until it is killed, or makes checkpoints. Arguments: the action, state,
 * workspace, two IDs.
 */
import process from 'node:process';
import { Checkpoints } from '../checkpoints.ts';

const [what, directory = '', workspace = '', one = '', other = ''] = process.argv.slice(2);
const checkpoints = new Checkpoints({ directory, workspace });
process.stdout.write('ready\n');
for (let turn = 0; ; turn += 1) {
  if (what === 'restore') checkpoints.restore(turn % 2 === 0 ? one : other);
  else checkpoints.remove(checkpoints.create(`turn ${turn}`).summary.id);
}
