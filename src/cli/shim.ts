import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { shellProgram } from '../agents/init/shell-program.ts';
import { shellQuote } from '../agents/hooks/quote.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import { type Command, type CommandInput, printResult, optionText } from './command.ts';

const usage = `usage: holdfast shim [--workspace DIR] [--json]

Supports agents without hooks that start commands with $SHELL. Creates a program that runs the arguments of bash in a
box of this workspace, and prints the line that makes it the shell:

  eval "$(holdfast shim)"; your-agent

  --json              print its path as a JSON object`;

export const shimCommand: Command = {
  name: 'shim',
  usage,
  options: { workspace: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'none',
  run: shim,
};

function shim(input: CommandInput): Promise<number> {
  const { values, io } = input;
  const home = homedir();
  const named = optionText(values['workspace']);
  const workspace = findWorkspace({
    cwd: io.cwd,
    home,
    ...(named === undefined ? {} : { root: resolve(io.cwd, named) }),
  }).root;
  const directory = join(
    statePaths(home, io.environment).state,
    'shells',
    createHash('sha256').update(workspace).digest('hex').slice(0, 16),
  );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fresh = join(directory, `.${process.pid}`);
  writeFileSync(fresh, shellProgram([process.execPath, resolve(process.argv[1] ?? '')], workspace), { mode: 0o700 });
  renameSync(fresh, join(directory, 'holdfast-shell'));
  // Agents recognise the kind of a shell by its name.
  rmSync(join(directory, 'bash'), { force: true });
  symlinkSync('holdfast-shell', join(directory, 'bash'));
  const shell = join(directory, 'bash');
  printResult(input, { shell }, `export SHELL=${shellQuote(shell)}\n`);
  return Promise.resolve(0);
}
