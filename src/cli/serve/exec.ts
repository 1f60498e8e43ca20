import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { absoluteGrants } from '../../place/grants.ts';
import type { ServerConnection } from '../../serve/client/connect-server.ts';
import { boxOptions, boxOptionsUsage } from '../box-options.ts';
import { type Command, type CommandInput, isSet, printResult, optionText } from '../command.ts';
import { lookOn, ownSize } from './look-on.ts';
import { onlyName, serverOf } from './server-of.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast exec [OPTIONS] SESSION -- COMMAND [ARGUMENT...]

Runs COMMAND in a session of the server that \`holdfast serve\` started. A session is one box policy over one workspace; the first exec with its name
opens it, for the workspace of the working directory. Streams, signals and the exit status are COMMAND's, as with \`holdfast run\`; it ends when this
process does. At a terminal it has one of its own: Ctrl-\\ Ctrl-\\ leaves it, and it goes on.

  --detach            start it, print its ID and leave; what it prints is kept for \`holdfast logs\` and \`holdfast attach\`
  --json              with --detach: the ID as a JSON object
  --terminal          give it a terminal of its own also when this process has none
  --staged            keep every write in a layer of its own, for \`holdfast review\`
  --into ID           keep them in the layer ID, on top of what is in it
${boxOptionsUsage}

With one of these options a session that is there must have been opened with the same ones.`;

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
      throw new HoldfastError('HF_USAGE', "--json goes with --detach: otherwise all that is printed is COMMAND's", {
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
  const { workspace, cwd, backend, grants = {} } = profiledSession({ values, io, ...input });
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
