/**
 * What git's configuration makes git run. Texts are parsed as git parses them, and nothing of them is ever carried out.
 */
export { readGitPrograms } from './programs.ts';
