import { resolve } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { boxOptions } from '../box-options.ts';
import { boxOptionsUsage } from '../run-usage.ts';
import { type Command, type CommandInput, isSet, safeText, optionText } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast mcp [serve] [OPTIONS]
       holdfast mcp wrap [--name NAME] [OPTIONS] -- SERVER [ARGUMENT...]
       holdfast mcp pins list [SERVER] [--json]
       holdfast mcp pins remove SERVER [TOOL…] [--json]

serve: gives a coding agent the box over the Model Context Protocol, on stdin and stdout. Its tools are bash, read,
       write, edit, apply_patch, grep, glob, fetch, run_code and why; with --staged also review. The kernel holds them
       to the policy, and the text filter checks their results. It runs until the agent closes the connection, and
       leaves nothing behind.
wrap:  runs another MCP server in a box of its own, between the server and the agent. The server gets the grants of
       its entry in [[mcp.servers]] and of these options. Without a grant it has no network and no part of the
       workspace; in the home directory it sees only installed programs. Holdfast pins its tools at first sight and asks
       about every change: see \`holdfast approvals\`. Rules about tools decide about calls, and the text filter checks
       the results.
pins:  lists the approved tools of servers by name, or removes them. Without TOOL, Holdfast treats the server as new.
       With TOOL, it asks about that tool again.

  --name NAME         the name of the server for rules and pins (default: its program, unless that starts other servers)
  --staged            keep every write in a new layer, for \`holdfast review\`; not with wrap
  --into ID           keep writes in the existing layer ID
  --json              with pins: print JSON
${boxOptionsUsage}

With --workspace, commands and relative paths start in that directory.`;

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
      throw new HoldfastError('HF_USAGE', 'only `holdfast mcp pins` takes --json', { remedy: 'leave it out' });
    if (name === 'wrap' && more.length === 0) return wrapped(input);
    if (name !== 'serve' || more.length > 0)
      throw new HoldfastError('HF_USAGE', `mcp has no action ${JSON.stringify(input.positionals.join(' '))}`, {
        remedy: 'use serve, wrap or pins; see `holdfast mcp --help`',
      });
    return serve(input);
  },
};

async function wrapped(input: CommandInput): Promise<number> {
  if (isSet(input.values['staged']) || input.values['into'] !== undefined)
    throw new HoldfastError('HF_USAGE', 'a wrapped server cannot be staged', {
      remedy: 'leave --staged and --into out, and use --write PATH for the files that the server may write',
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
    throw new HoldfastError('HF_USAGE', 'only `holdfast mcp wrap` takes --name', {
      remedy: 'leave it out, or write `holdfast mcp wrap --name NAME -- SERVER`',
    });
  if (process.stdin.isTTY)
    input.io.stderr.write('holdfast: waiting for an agent, which starts `holdfast mcp` itself: docs/mcp.md\n');
  const { serveMcp } = await import('../../agents/mcp/serve-mcp.ts');
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
    input.io.stderr.write(`${safeText(`holdfast: the writes are staged: holdfast review ${layer}`)}\n`);
  return 0;
}

function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
