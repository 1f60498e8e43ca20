import { basename } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

/** Programs that start any server there is. Under the name of one of them each would have the pins, the entry and the rules of the others. */
const starters = /^(?:node|nodejs|npx|npm|pnpm|pnpx|yarn|bunx?|deno|tsx|pythonw?|pypy|uvx?|pipx|poetry|docker|podman|nerdctl|(?:ba|da|z|fi|k)?sh|env|sudo|java|dotnet|ruby|php|perl|go|cargo)(?:\d[\d.]*)?(?:\.(?:exe|cmd))?$/iu;

/** `/usr/bin/mcp-server-git` is `mcp-server-git`. Throws `HF_USAGE` where that says nothing of the server. */
export function serverName(program: string): string {
  const name = basename(program).replaceAll(/[^\w.-]/gu, '-');
  if (starters.test(name)) throw new HoldfastError('HF_USAGE', `${name} starts many servers, and rules and pins could not tell them apart`, { remedy: 'give --name with the name of this one' });
  return name;
}
