import process from 'node:process';
import type { Command } from './command.ts';
import { runCommand } from './main.ts';

/** Body of every command's bundle: runs it for this process. */
export async function enter(command: Command): Promise<void> {
  const io = { stdout: process.stdout, stderr: process.stderr, cwd: process.cwd(), environment: process.env };
  process.exitCode = await runCommand(command, process.argv.slice(3), io);
}
