import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildImage, type BuiltImage } from '../../backends/microvm/build/build-image.ts';
import { imageError } from '../../backends/microvm/build/image-error.ts';
import { type MicrovmImage, publishImage, removeImages, verifyImage } from '../../backends/microvm/build/image.ts';
import {
  downloadKernel,
  installedSource,
  withDownloadDirectory,
} from '../../backends/microvm/build/installed-source.ts';
import { packageSource } from '../../backends/microvm/build/package-source.ts';
import { forgetChoice } from '../../backends/microvm/build/probe-memory.ts';
import { type AcceleratorChoice, chooseAccelerator } from '../../backends/microvm/build/probe.ts';
import { findQemu } from '../../backends/microvm/parts.ts';
import { timeStart } from '../../backends/microvm/microvm.ts';
import { HoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import { findInstallation } from '../../place/host/installation.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { openSession, planBox } from '../../session/session.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, optionText } from '../command.ts';
import { progressOf } from '../progress.ts';

const usage = `usage: holdfast microvm build [--package FILE.deb | --installed VERSION] [--json]
       holdfast microvm [status] [--json]
       holdfast microvm time [--json]
       holdfast microvm remove [--json]

build:  builds the kernel and first file system that microVMs start from. It fetches the kernel package of the
        distribution with apt-get, which needs no root. --package and --installed use another package or a kernel in
        /boot. The same package gives the same bytes.
status: shows the image, whether it is intact, and how microVMs run here.
time:   starts a microVM and measures it: from the guest kernel to the command, and in total.
remove: removes the image.

The image is in your state directory, in microvm.`;

export const microvmCommand: Command = {
  name: 'microvm',
  usage,
  options: { package: { type: 'string' }, installed: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'any',
  alone: 'status',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = actions.get(name);
    if (action === undefined || words.length > 0)
      throw new HoldfastError(
        'HF_USAGE',
        `expected build, status, time or remove, got ${JSON.stringify(input.positionals.join(' '))}`,
        { remedy: 'see `holdfast microvm --help`' },
      );
    return action(input, {
      directory: statePaths(homedir(), input.io.environment).microvm,
      guest: findInstallation().guest,
    });
  },
};

export interface MicrovmPlace {
  /** Directory of images. */
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

function remove(input: CommandInput, { directory }: MicrovmPlace): number {
  if (existsSync(directory))
    withDirectoryLock(
      directory,
      () => removeImages(directory),
      () => busy(directory),
    );
  printResult(input, { kind: 'absent' }, 'no image is left\n');
  return 0;
}

/** Prints how long `true` takes to begin in a microVM here, by the guest's clock, and overall. */
async function time({ io, values }: CommandInput): Promise<number> {
  const workspace = mkdtempSync(join(tmpdir(), 'holdfast-time-'));
  try {
    const session = await openSession({ cwd: workspace, workspace, environment: io.environment, backend: 'microvm' });
    const times = await timeStart(planBox(session, { argv: ['true'] }), session.place.installation.launcher);
    if (isSet(values['json'])) io.stdout.write(jsonText(times));
    else
      io.stdout.write(
        `from the guest's kernel to the command: ${times.guest.toFixed(0)} ms\nfrom the launcher to the end of the box: ${times.whole.toFixed(0)} ms\n`,
      );
    return 0;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** Exits with 0 if microVMs can start from the existing files, and 1 otherwise. */
async function status({ io, values }: CommandInput, { directory, guest }: MicrovmPlace): Promise<number> {
  const image = verifyImage(directory);
  if (image.kind === 'absent') {
    io.stdout.write(isSet(values['json']) ? jsonText(image) : `no image: ${image.remedy}\n`);
    return 1;
  }
  const program = stateOf(image, guest);
  const accelerator = await acceleratorFor(directory, image);
  if (isSet(values['json'])) io.stdout.write(jsonText({ ...image, program, accelerator }));
  else
    io.stdout.write(
      `kernel ${image.kernelVersion}, image ${image.digest.slice(0, 16)}, whole\n${program === 'same' ? '' : 'it was built for another version of Holdfast: run `holdfast microvm build` again\n'}${acceleratorLine(accelerator)}\n`,
    );
  return program === 'same' && accelerator.kind === 'chosen' ? 0 : 1;
}

function stateOf(image: MicrovmImage, guest: string): 'same' | 'other' {
  return existsSync(guest) && createHash('sha256').update(readFileSync(guest)).digest('hex') === image.guest
    ? 'same'
    : 'other';
}

async function build(input: CommandInput, place: MicrovmPlace): Promise<number> {
  const { image, accelerator } = await made(input, place);
  printResult(
    input,
    { ...image, accelerator },
    `kernel ${image.kernelVersion}, image ${image.digest.slice(0, 16)}\n${acceleratorLine(accelerator)}\n`,
  );
  return accelerator.kind === 'chosen' ? 0 : 1;
}

interface Made {
  readonly image: MicrovmImage;
  readonly accelerator: AcceleratorChoice;
}

async function made(input: CommandInput, { directory, guest }: MicrovmPlace): Promise<Made> {
  const { io, values } = input;
  const [file, version] = [optionText(values['package']), optionText(values['installed'])];
  if (file !== undefined && version !== undefined)
    throw new HoldfastError('HF_USAGE', '--package and --installed cannot be combined', {
      remedy: 'use one of them',
    });
  makeDirectory(directory);
  const guestBytes = readGuest(guest);
  using progress = progressOf(input);
  const built = await builtFrom({
    directory,
    progress: progress.begin,
    guest: guestBytes,
    file: file === undefined ? undefined : resolve(io.cwd, file),
    version,
  });
  progress.begin('writing the image');
  const image = withDirectoryLock(
    directory,
    () => publishImage(directory, built),
    () => busy(directory),
  );
  forgetChoice(directory);
  progress.begin('finding out how guests boot here');
  return { image, accelerator: await acceleratorFor(directory, image) };
}

interface BuildOrder {
  readonly directory: string;
  readonly progress: (line: string) => void;
  readonly guest: Buffer;
  readonly file: string | undefined;
  readonly version: string | undefined;
}

async function builtFrom({ directory, progress, guest, file, version }: BuildOrder): Promise<BuiltImage> {
  if (file !== undefined) return buildImage(await packageSource(file), guest, progress);
  if (version !== undefined) return buildImage(installedSource(version), guest, progress);
  return withDownloadDirectory(directory, async (download) =>
    buildImage(await packageSource(await downloadKernel(download, progress)), guest, progress),
  );
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new HoldfastError('HF_STATE_UNWRITABLE', `${directory} cannot be made`, {
      remedy: 'check that you own your state directory and that the disk has space',
      cause,
    });
  }
}

function readGuest(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw imageError(`${path} does not exist`, 'run `make -C native`, which needs a C compiler', cause);
  }
}

function busy(directory: string): HoldfastError {
  return new HoldfastError('HF_IMAGE_FAILED', `another process is writing to ${directory}`, {
    remedy: 'wait for it, and try again',
  });
}

/** Returns how guests boot here, remembered from an earlier boot or found by a new one. */
function acceleratorFor(directory: string, image: MicrovmImage): Promise<AcceleratorChoice> | AcceleratorChoice {
  const qemu = findQemu(process.arch);
  return qemu === undefined
    ? { kind: 'absent', why: 'qemu is not installed (Debian: `apt-get install qemu-system-x86`)' }
    : chooseAccelerator({ directory, qemu, image });
}

function acceleratorLine(choice: AcceleratorChoice): string {
  return choice.kind === 'chosen'
    ? `guests boot with ${choice.accelerator === 'kvm' ? 'KVM' : 'emulation, which is slow'}: ${choice.why}`
    : `guests do not boot here: ${choice.why}`;
}
