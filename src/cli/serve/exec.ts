import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { absoluteGrants } from '../../place/grants.ts';
import type { ServerConnection } from '../../serve/client/connect-server.ts';
import { boxOptions } from '../box-options.ts';
import { boxOptionsUsage } from '../run-usage.ts';
import { type Command, type CommandInput, isSet, printResult, optionText } from '../command.ts';
import { lookOn, ownSize } from './look-on.ts';
import { onlyName, serverOf } from './server-of.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast exec [OPTIONS] SESSION -- COMMAND [ARGUMENT...]

Runs COMMAND in a session of the server that \`holdfast serve\` started. A session is one box policy over one workspace.
The first exec with its name opens it, for the workspace of the working directory. Streams, signals and the exit status
are those of COMMAND, as with \`holdfast run\`, and COMMAND ends with this process. At a terminal COMMAND gets its own
terminal: Ctrl-\\ Ctrl-\\ detaches, and COMMAND continues.

  --detach            start COMMAND, print its ID and return; \`holdfast logs\` and \`holdfast attach\` show its output
  --json              with --detach: print the ID as a JSON object
  --terminal          give COMMAND its own terminal even when this process has none
  --staged            keep every write in a new layer, for \`holdfast review\`
  --into ID           keep writes in the existing layer ID
${boxOptionsUsage}

An existing session must have been opened with the same options.`;

export const execCommand: Command = {
  name: 'exec',
  usage,
  options: {
    ...boxOptions,
    staged: { type: 'boolean' },
    into: { type: 'string' },
    detach: { type: 'boolean' },
    terminal: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  async run(input) {
    const { rest: argv = [], values, io } = input;
    const session = onlyName(input, 'exec');
    if (argv.length === 0)
      throw new HoldfastError('HF_USAGE', 'there is no command to run', {
        remedy: 'write it after `--`, as in `holdfast exec build -- npm test`',
      });
    if (isSet(values['json']) && !isSet(values['detach']))
      throw new HoldfastError('HF_USAGE', '--json needs --detach: without it, only COMMAND prints', {
        remedy: 'leave it out, or add --detach',
      });
    const server = await serverOf(input);
    await open(server, session, input);
    const mode = isSet(values['detach']) ? ('detached' as const) : ('foreground' as const);
    const own = ownSize();
    const terminal = isSet(values['terminal'])
      ? (own ?? { columns: 80, rows: 24 })
      : mode === 'detached'
        ? undefined
        : own;
    const shownAt = io.environment['TERM'];
    const call = server.call({
      kind: 'exec',
      session,
      argv: [...argv],
      cwd: io.cwd,
      mode,
      ...(terminal === undefined
        ? {}
        : { terminal, ...(own === undefined || shownAt === undefined ? {} : { shownAt }) }),
    });
    if (mode === 'foreground')
      return lookOn(call, { at: terminal === undefined ? 'streams' : 'terminal', role: 'owner' }, io);
    const seen = await call.result;
    if (seen.kind === 'left') printResult(input, { id: seen.id }, `${seen.id}\n`);
    return 0;
  },
};

async function open(server: ServerConnection, name: string, { values, io, ...input }: CommandInput): Promise<void> {
  const { workspace, cwd, backend, grants = {}, strict } = profiledSession({ values, io, ...input });
  if (strict === true)
    throw new HoldfastError('HF_STRICT', 'a server shows output unfiltered, so it runs nothing strict', {
      remedy: 'use `holdfast run --strict`',
    });
  const into = optionText(values['into']);
  const staged = into === undefined ? (isSet(values['staged']) ? ('new' as const) : undefined) : { into };
  const root = workspace === undefined ? undefined : resolve(cwd, workspace);
  const given = Object.entries(absoluteGrants(grants, { cwd, home: homedir() })).filter(
    ([, list]) => list !== undefined && list.length > 0,
  );
  const options = {
    cwd: root ?? cwd,
    backend: backend ?? 'auto',
    grants: Object.fromEntries(given) as Record<string, string[]>,
    ...(root === undefined ? {} : { workspace: root }),
    ...(staged === undefined ? {} : { staged }),
  };
  const environment = Object.fromEntries(
    Object.entries(io.environment).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const isAsked = [...Object.keys(boxOptions), 'staged', 'into'].some((option) => values[option] !== undefined);
  await server.call({ kind: 'open', name, options, environment, match: isAsked ? 'options' : 'name' }).result;
}
