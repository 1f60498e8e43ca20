import process from 'node:process';
import { createWorktree } from '../create.ts';

/** Makes a worktree: WORKSPACE DIRECTORY. Tests stop it on the way. */
const [workspace = '', directory = ''] = process.argv.slice(2);
createWorktree({ workspace, directory });
