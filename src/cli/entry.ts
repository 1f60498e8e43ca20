import process from 'node:process';
import type { Command, CommandIo } from './command.ts';
import { runCommand } from './main.ts';

/** Body of every command's bundle: runs it for this process. */
export async function enter(command: Command): Promise<void> {
  const status = await runCommand(command, process.argv.slice(3), processIo());
  // Taking the heap down in order costs 2 ms. What was written is out: these streams are synchronous on Linux.
  process.exit(status);
}

/** The streams are made when they are first used: `run` mostly leaves them to its command, and each costs a millisecond. */
function processIo(): CommandIo {
  let stdout: CommandIo['stdout'] | undefined;
  return {
    get stdout() {
      return (stdout ??= process.stdout.on('error', endQuietly));
    },
    get stderr() {
      return process.stderr;
    },
    cwd: workingDirectory(),
    environment: process.env,
  };
}

/** `holdfast audit show | head`: whoever reads has seen enough. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** A working directory that was removed still has a name, by which the command's own error can call it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD = '' } = process.env;
    return PWD === '' ? '.' : PWD;
  }
}
