import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { findInstallation } from '../../sandbox/host/installation.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import type { Command, CommandInput } from '../command.ts';
import { build } from './build.ts';
import { remove } from './remove.ts';
import { status } from './status.ts';
import { time } from './time.ts';

const usage = `usage: holdfast microvm build [--package FILE.deb | --installed VERSION] [--json]
       holdfast microvm status [--json]
       holdfast microvm time [--json]
       holdfast microvm remove [--json]

build:  makes what microVMs start from: the kernel of the distribution and a first file system. Fetches the package of the kernel
        with apt-get, which needs no root, or takes another package, or one of the kernels in /boot. The same package gives the same
        bytes.
status: which image there is, whether all of it is whole, and how microVMs run here.
time:   starts one, and says how long it took from the guest's kernel to the command, and as a whole.
remove: removes the image.

It stands in your state directory, in microvm.`;

export const microvmCommand: Command = {
  name: 'microvm',
  summary: 'make the kernel that microVMs start from',
  usage,
  options: { package: { type: 'string' }, installed: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = actions.get(name);
    if (action === undefined || words.length > 0) throw new HoldfastError('HF_USAGE', `expected build, status, time or remove, got ${JSON.stringify(input.positionals.join(' '))}`, { remedy: 'see `holdfast microvm --help`' });
    return action(input, { directory: statePaths(homedir(), input.io.environment).microvm, guest: findInstallation().guest });
  },
};

export interface MicrovmPlace {
  /** Where images stand. */
  readonly directory: string;
  /** The program that a guest starts first. */
  readonly guest: string;
}

type Action = (input: CommandInput, place: MicrovmPlace) => Promise<number> | number;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['build', build],
  ['status', status],
  ['time', time],
  ['remove', remove],
]);
