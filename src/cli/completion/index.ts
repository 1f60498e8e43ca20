/**
 * `holdfast completion`: what a shell needs to complete the command line. The scripts are made from every command's options
 * when Holdfast is built; what they ask at the time a key is pressed, IDs, is answered here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { findInstallation } from '../../sandbox/host/installation.ts';
import type { Command, CommandInput } from '../command.ts';
import { idKinds, proposalsOf, type IdKind } from './ids.ts';

const usage = `usage: holdfast completion bash
       holdfast completion zsh
       holdfast completion fish

Prints what the shell needs to complete commands, options, names and IDs.

bash: eval "$(holdfast completion bash)" in ~/.bashrc, or into ~/.local/share/bash-completion/completions/holdfast
zsh:  into a file _holdfast in a directory of $fpath
fish: into ~/.config/fish/completions/holdfast.fish

A completion starts the holdfast of $PATH, never one that is named by its path, and changes nothing.`;

export const completionCommand: Command = {
  name: 'completion',
  summary: 'print what bash, zsh and fish need to complete commands',
  usage,
  options: {},
  positionals: 'any',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    if (name === 'ids') return printIds(input, words);
    if (!shells.includes(name) || words.length > 0) throw new HoldfastError('HF_USAGE', `expected ${shells.join(', ')}, got ${JSON.stringify(input.positionals.join(' '))}`, { remedy: 'see `holdfast completion --help`' });
    input.io.stdout.write(readFileSync(join(findInstallation().root, 'dist/completion', `holdfast.${name}`), 'utf8'));
    return 0;
  },
};

const shells: readonly string[] = ['bash', 'zsh', 'fish'];

/** One a line, with a tab and a hint behind it. What cannot be listed is not: a key was pressed, and an error would stand in the line being typed. */
async function printIds({ io }: CommandInput, [name]: readonly string[]): Promise<number> {
  const kind = idKinds.find((known: IdKind) => known === name);
  if (kind === undefined) throw new HoldfastError('HF_USAGE', `expected ${idKinds.join(', ')}, got ${JSON.stringify(name ?? '')}`, { remedy: 'see `holdfast completion --help`' });
  try {
    for (const { id, hint } of await proposalsOf(kind, io)) io.stdout.write(`${id}\t${hint}\n`);
    return 0;
  } catch (error) {
    if (isHoldfastError(error) || isSystemError(error)) return 1;
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error;
}
