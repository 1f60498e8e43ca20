/**
 * Program: moves items to the trash and restores them, again and again, until it is killed. Arguments: workspace,
 * trash, items.
 */
import process from 'node:process';
import { Trash } from '../trash.ts';

const [workspace = '', directory = '', items = '1'] = process.argv.slice(2);
const trash = new Trash({ directory });
process.stdout.write('ready\n');
for (let turn = 0; ; turn += 1) {
  const path = Buffer.from(`${workspace}/item${turn % Number(items)}`);
  const { id } = trash.keep({ path, workspace, session: 's', cause: 'deleted', how: 'take' });
  trash.restore({ id });
}
