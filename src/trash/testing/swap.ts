/** Program: exchanges two names as fast as it can, until it is killed. */
import process from 'node:process';
import { atFdcwd, exchangeNames, isKernelError, renameAt } from '../../kernel/index.ts';

const [one = '', other = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) {
  try {
    renameAt({ directory: atFdcwd, name: one }, { directory: atFdcwd, name: other }, exchangeNames);
  } catch (error) {
    // The other process may be moving one of them.
    if (!isKernelError(error, 'ENOENT')) throw error;
  }
}
