import { basename } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { optionText, type CommandInput } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

/** Status of a wrapped server that has ended although its agent was still there. */
const serverEnded = 1;

/** `holdfast mcp wrap`: what it does lives in the agents room. */
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

/**
 * Programs that start any server there is. Under the name of one of them each would have the pins, the entry and the
 * rules of the others.
 */
const starters =
  /^(?:node|nodejs|npx|npm|pnpm|pnpx|yarn|bunx?|deno|tsx|pythonw?|pypy|uvx?|pipx|poetry|docker|podman|nerdctl|(?:ba|da|z|fi|k)?sh|env|sudo|java|dotnet|ruby|php|perl|go|cargo)(?:\d[\d.]*)?(?:\.(?:exe|cmd))?$/iu;

/** `/usr/bin/mcp-server-git` is `mcp-server-git`. Throws `HF_USAGE` where that says nothing of the server. */
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
