import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildImage, downloadKernel, forgetChoice, imageError, installedSource, packageSource, publishImage, withDownloadDirectory, type AcceleratorChoice, type BuiltImage, type MicrovmImage } from '../../backends/microvm/build/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import { text, type CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';
import { progressOf } from '../progress.ts';
import { acceleratorFor, acceleratorLine } from './accelerator.ts';
import { busy } from './busy.ts';
import type { MicrovmPlace } from './index.ts';

export async function build(input: CommandInput, place: MicrovmPlace): Promise<number> {
  const { image, accelerator } = await made(input, place);
  printResult(input, { ...image, accelerator }, `kernel ${image.kernelVersion}, image ${image.digest.slice(0, 16)}\n${acceleratorLine(accelerator)}\n`);
  return accelerator.kind === 'chosen' ? 0 : 1;
}

interface Made {
  readonly image: MicrovmImage;
  readonly accelerator: AcceleratorChoice;
}

async function made(input: CommandInput, { directory, guest }: MicrovmPlace): Promise<Made> {
  const { io, values } = input;
  const [file, version] = [text(values['package']), text(values['installed'])];
  if (file !== undefined && version !== undefined) throw new HoldfastError('HF_USAGE', 'a kernel comes from a package or is installed, not both', { remedy: 'use one of --package and --installed' });
  makeDirectory(directory);
  const guestBytes = readGuest(guest);
  using progress = progressOf(input);
  const built = await builtFrom({ directory, progress: progress.begin, guest: guestBytes, file: file === undefined ? undefined : resolve(io.cwd, file), version });
  progress.begin('writing the image');
  const image = withDirectoryLock(directory, () => publishImage(directory, built), () => busy(directory));
  forgetChoice(directory);
  progress.begin('trying how guests boot here');
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
  return withDownloadDirectory(directory, async (download) => buildImage(await packageSource(await downloadKernel(download, progress)), guest, progress));
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new HoldfastError('HF_STATE_UNWRITABLE', `${directory} cannot be made`, { remedy: 'make sure that you own your state directory and that there is space', cause });
  }
}

function readGuest(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw imageError(`${path} does not exist`, 'run `make -C native`, which needs a C compiler', cause);
  }
}
