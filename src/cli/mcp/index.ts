import { resolve } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { boxOptions, boxOptionsUsage } from '../box-options.ts';
import { type Command, type CommandInput, isSet, safeText, optionText } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast mcp [serve] [OPTIONS]
       holdfast mcp wrap [--name NAME] [OPTIONS] -- SERVER [ARGUMENT...]
       holdfast mcp pins list [SERVER] [--json]
       holdfast mcp pins remove SERVER [TOOL…] [--json]

Serves the box to a coding agent over the Model Context Protocol, on stdin and stdout: bash, read, write, edit, apply_patch,
grep, glob, fetch, run_code and why, and review with --staged. What they do is held to the policy by the kernel, and what they give back
passes the text filter. Runs until the agent closes its end; then nothing of it is left.

With wrap it runs another MCP server in a box of its own, and stands between that and the agent. The server has what its entry of [[mcp.servers]] and these
options declare: without any no network, nothing of the workspace and of the home but programs. Its tools are pinned as they were when they were first
seen; a change is asked about, see \`holdfast approvals\`. Calls are held to the rules about tools, and what comes back passes the text filter.

pins: what was approved of servers, by their names, and taking it back. Without TOOL the server is one that was never seen; a tool is asked about again.

  --name NAME         what rules and pins call the server (default: the name of its program, where that starts no others)
  --staged            keep every write in a layer of its own, for \`holdfast review\`; not with wrap
  --into ID           keep them in the layer ID, on top of what is in it
  --json              print JSON; for pins
${boxOptionsUsage}

With --workspace, commands and relative paths start there.`;

export const mcpCommand: Command = {
  name: 'mcp',
  usage,
  options: {
    ...boxOptions,
    name: { type: 'string' },
    staged: { type: 'boolean' },
    into: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  run(input) {
    const [name = 'serve', ...more] = input.positionals;
    if (name === 'pins') return pins(input, more);
    if (isSet(input.values['json']))
      throw new HoldfastError('HF_USAGE', '--json is for `holdfast mcp pins`', { remedy: 'leave it out' });
    if (name === 'wrap' && more.length === 0) return wrapped(input);
    if (name !== 'serve' || more.length > 0)
      throw new HoldfastError(
        'HF_USAGE',
        `expected serve, wrap or pins, got ${JSON.stringify(input.positionals.join(' '))}`,
        { remedy: 'see `holdfast mcp --help`' },
      );
    return serve(input);
  },
};

async function wrapped(input: CommandInput): Promise<number> {
  if (isSet(input.values['staged']) || input.values['into'] !== undefined)
    throw new HoldfastError('HF_USAGE', 'a wrapped server writes to the host, or nowhere', {
      remedy: 'leave --staged and --into out, and give it --write for what it may write',
    });
  const { wrap } = await import('./wrap.ts');
  return wrap(input, untilSignal());
}

async function pins(input: CommandInput, words: readonly string[]): Promise<number> {
  const { pinsCommand } = await import('./pins.ts');
  return pinsCommand(input, words);
}

async function serve(input: CommandInput): Promise<number> {
  if (input.values['name'] !== undefined)
    throw new HoldfastError('HF_USAGE', '--name is for a server that is wrapped', {
      remedy: 'leave it out, or write `holdfast mcp wrap --name NAME -- SERVER`',
    });
  const { serveMcp } = await import('../../agents/index.ts');
  const { workspace, cwd, ...options } = profiledSession(input);
  const root = workspace === undefined ? undefined : resolve(cwd, workspace);
  const into = optionText(input.values['into']);
  const staged = into === undefined ? (isSet(input.values['staged']) ? ('new' as const) : undefined) : { into };
  const { layer } = await serveMcp({
    input: process.stdin,
    output: process.stdout,
    signal: untilSignal(),
    sandbox: {
      ...options,
      cwd: root ?? cwd,
      ...(root === undefined ? {} : { workspace: root }),
      ...(staged === undefined ? {} : { staged }),
    },
  });
  if (layer !== undefined && process.stderr.writable)
    input.io.stderr.write(`${safeText(`holdfast: what was written is staged: holdfast review ${layer}`)}\n`);
  return 0;
}

function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
