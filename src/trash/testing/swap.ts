/** Program: exchanges two names as fast as it can, until it is killed. */
import process from 'node:process';
import { atFdcwd, exchange, renameAt } from '../../kernel/index.ts';

const [one = '', other = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) renameAt({ directory: atFdcwd, name: one }, { directory: atFdcwd, name: other }, exchange);
