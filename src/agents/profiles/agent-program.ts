import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { type AgentProgramPlace, refuseLed } from './agent-links.ts';
import { packagesOf } from './agent-packages.ts';

export interface AgentProgram {
  /** The command that starts the agent in a box: its name, or the file that the name leads to. */
  readonly command: string;
  /** Paths that a box needs for it, each read-only. */
  readonly read: readonly string[];
}

/**
 * Finds the program for an agent's name, and the paths that a box needs to start it. Throws `HF_COMMAND_NOT_FOUND` if
 * the program is missing, or if no package lists its files.
 */
export function findAgentProgram(name: string, place: AgentProgramPlace): AgentProgram {
  const found = programOnPath(name, place.path);
  if (found === undefined)
    throw new HoldfastError('HF_COMMAND_NOT_FOUND', `${name} is not installed: no directory of your PATH has it`, {
      remedy: `install it, or name its file: holdfast run --profile ${name} -- FILE`,
    });
  const file = realpathSync.native(found);
  const access = place.access(file);
  if (access === 'refused')
    throw new HoldfastError('HF_COMMAND_NOT_FOUND', `${name} leads to ${file}, which the policy refuses to boxes`, {
      remedy: `see \`holdfast why --path ${file}\``,
    });
  const command = access !== 'hidden' && place.access(found) !== 'hidden' ? name : file;
  if (access !== 'hidden') return { command, read: [] };
  refuseLed(name, found, place.access);
  return { command, read: isNative(file) && !isOfNpm(file) ? [file] : packagesOf(file, { name, ...place }) };
}

/** Searches like a shell, but skips empty and relative entries, which mean the working directory. */
export function programOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => join(directory, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Codex looks for its package's files beside its program, and ends if it does not see them. */
function isOfNpm(file: string): boolean {
  return file.includes('/node_modules/');
}

/** Whether the kernel starts a program by itself. */
function isNative(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(4);
    readSync(descriptor, head, 0, head.length, 0);
    return head.toString('latin1') === '\u007FELF';
  } finally {
    closeSync(descriptor);
  }
}
