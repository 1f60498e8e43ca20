/** `holdfast text`: what the text room does at its boundaries, for files and pipes of one's own. What is found is decided there. */
import { HoldfastError } from '../../errors/index.ts';
import type { Command } from '../command.ts';
import { scanFiles } from './scan.ts';
import { showText } from './show.ts';

const usage = `usage: holdfast text show [--for model|person] [--json] [FILE]
       holdfast text scan [--json] PATH...

show: FILE, or stdin, as a model may read it: what does not show is written ⟦U+200B⟧, and so is what a terminal would obey.
      --for person keeps colours. What was found is told on stderr.
scan: names and contents below each PATH that hold what does not show, one a line: file:line:column, what it is, and what it
      says where it is a message. Exits with 1 when there is any. Look-alike letters in names are told, and are no reason for it.
      Skips .git, node_modules, binary files and files above 8 MiB.`;

export const textCommand: Command = {
  name: 'text',
  summary: 'show and find characters that do not show',
  usage,
  options: { for: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    const [name = '', ...paths] = input.positionals;
    switch (name) {
      case 'show':
        return showText(input, paths);
      case 'scan':
        return scanFiles(input, paths);
      default:
        throw new HoldfastError('HF_USAGE', `expected show or scan, got ${JSON.stringify(name)}`, { remedy: 'see `holdfast text --help`' });
    }
  },
};
