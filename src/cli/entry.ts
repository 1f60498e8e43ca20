import process from 'node:process';
import type { Command } from './command.ts';
import { runCommand } from './main.ts';

/** Body of every command's bundle: runs it for this process. */
export async function enter(command: Command): Promise<void> {
  process.stdout.on('error', endQuietly);
  const io = { stdout: process.stdout, stderr: process.stderr, cwd: workingDirectory(), environment: process.env };
  process.exitCode = await runCommand(command, process.argv.slice(3), io);
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
