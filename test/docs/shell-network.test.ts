import { tryShellBlocks } from '../lib/docs-shell.ts';

tryShellBlocks('network');
