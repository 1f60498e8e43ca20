import process from 'node:process';
import { createWorktree } from '../index.ts';

/** Makes a worktree: WORKSPACE DIRECTORY. Stopped on the way by tests. */
const [workspace = '', directory = ''] = process.argv.slice(2);
createWorktree({ workspace, directory });
