/** Program: exchanges two names as fast as it can, until it is killed. */
import process from 'node:process';
import { atFdcwd, exchange, isKernelError, renameAt } from '../../kernel/index.ts';

const [one = '', other = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) {
  try {
    renameAt({ directory: atFdcwd, name: one }, { directory: atFdcwd, name: other }, exchange);
  } catch (error) {
    // The other side may have one of them in its hands.
    if (!isKernelError(error, 'ENOENT')) throw error;
  }
}
