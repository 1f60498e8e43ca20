/** Prints the manual page, which `scripts/build.ts` puts into the package: node scripts/man-page.ts | man -l - */
import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };
import { loadCommands } from './load-commands.ts';
import { manPage } from './man/man-page.ts';

process.stdout.write(manPage(await loadCommands(), packageJson.version));
