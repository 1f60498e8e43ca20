import { basename } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { optionText, type CommandInput } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

/** Exit status if a wrapped server has ended before its agent. */
const serverEnded = 1;

/** `holdfast mcp wrap`: the agents room does the work. */
export async function wrap(input: CommandInput, signal: AbortSignal): Promise<number> {
  const argv = input.rest ?? [];
  const [program] = argv;
  if (program === undefined)
    throw new HoldfastError('HF_USAGE', 'there is no server to run', {
      remedy: 'write it after `--`, as in `holdfast mcp wrap --name files --read . -- mcp-server-filesystem .`',
    });
  const { wrapMcp } = await import('../../agents/mcp-wrap/wrap-mcp.ts');
  const server = { ...profiledSession(input), name: optionText(input.values['name']) ?? serverName(program), argv };
  const { by, exitCode } = await wrapMcp({
    server,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    signal,
  });
  return by === 'client' ? 0 : exitCode === 0 ? serverEnded : exitCode;
}

/** Programs that start any server. Under the name of one of them, all servers would share pins, entry and rules. */
const starters =
  /^(?:node|nodejs|npx|npm|pnpm|pnpx|yarn|bunx?|deno|tsx|pythonw?|pypy|uvx?|pipx|poetry|docker|podman|nerdctl|(?:ba|da|z|fi|k)?sh|env|sudo|java|dotnet|ruby|php|perl|go|cargo)(?:\d[\d.]*)?(?:\.(?:exe|cmd))?$/iu;

/**
 * `/usr/bin/mcp-server-git` is `mcp-server-git`. Throws `HF_USAGE` if the program's name does not identify the server.
 */
export function serverName(program: string): string {
  const name = basename(program).replaceAll(/[^\w.-]/gu, '-');
  if (starters.test(name))
    throw new HoldfastError(
      'HF_USAGE',
      `${name} can start different servers, so its name does not identify one for rules and pins`,
      {
        remedy: 'name this server with --name',
      },
    );
  return name;
}
