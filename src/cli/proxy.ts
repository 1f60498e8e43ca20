import process from 'node:process';
import { openSession } from '../session/session.ts';
import { boxOptions, boxOptionsUsage } from './box-options.ts';
import { type Command, type CommandInput, portOf, printResult } from './command.ts';
import { keepGarbageSmall } from './small-garbage.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast proxy [OPTIONS]

Serves the policy's network as a proxy on a loopback port, for programs that cannot run in a box: HTTP, CONNECT and
SOCKS5 with names. Prints the variables that such programs read, with a secret of this session, one \`export\` to a
line, and runs until it is interrupted. Connections end with it.

    holdfast proxy --preset npm > proxy.env &
    . ./proxy.env; npm view left-pad

  --port N            default: a free one
  --json              the variables as one JSON object
${boxOptionsUsage}`;

export const proxyCommand: Command = {
  name: 'proxy',
  usage,
  options: { ...boxOptions, port: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'none',
  run: serve,
};

async function serve(input: CommandInput): Promise<number> {
  const { values } = input;
  const session = await openSession(profiledSession(input));
  const egress = await session.network.egress();
  const proxy = await egress.proxy(portOf(values['port']));
  keepGarbageSmall();
  printResult(
    input,
    proxy.environment,
    Object.entries(proxy.environment)
      .map(([name, value]) => `export ${name}='${value}'\n`)
      .join(''),
  );
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await proxy.close();
  session.approvals.close();
  return 0;
}
