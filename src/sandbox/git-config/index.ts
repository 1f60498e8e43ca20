/**
 * What git's configuration makes git run. Nothing of it is ever carried out.
 */
export { readGitPrograms } from './programs.ts';
