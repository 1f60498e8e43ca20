import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { sessionOptions } from '../box-options.ts';
import { text, type CommandInput } from '../command.ts';
import { serverName } from './server-name.ts';

/** Status of a wrapped server that has ended although its agent was still there. */
const serverEnded = 1;

/** `holdfast mcp wrap`: what it does lives in the agents room. */
export async function wrap(input: CommandInput, signal: AbortSignal): Promise<number> {
  const argv = input.rest ?? [];
  const [program] = argv;
  if (program === undefined) throw new HoldfastError('HF_USAGE', 'there is no server to run', { remedy: 'write it after `--`, as in `holdfast mcp wrap --name files --read . -- mcp-server-filesystem .`' });
  const { wrapMcp } = await import('../../agents/mcp-wrap/wrap-mcp.ts');
  const server = { ...sessionOptions(input), name: text(input.values['name']) ?? serverName(program), argv };
  const { by, exitCode } = await wrapMcp({ server, input: process.stdin, output: process.stdout, errors: process.stderr, signal });
  return by === 'client' ? 0 : exitCode === 0 ? serverEnded : exitCode;
}
