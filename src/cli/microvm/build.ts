import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildImage, downloadKernel, forgetChoice, imageError, installedSource, packageSource, publishImage, withDownloadDirectory, type BuiltImage } from '../../backends/microvm/build/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import { isSet, text, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { acceleratorFor, acceleratorLine } from './accelerator.ts';
import { busy } from './busy.ts';
import type { MicrovmPlace } from './index.ts';

export async function build({ io, values }: CommandInput, { directory, guest }: MicrovmPlace): Promise<number> {
  const [file, version] = [text(values['package']), text(values['installed'])];
  if (file !== undefined && version !== undefined) throw new HoldfastError('HF_USAGE', 'a kernel comes from a package or is installed, not both', { remedy: 'use one of --package and --installed' });
  makeDirectory(directory);
  const guestBytes = readGuest(guest);
  const progress = (line: string): void => void io.stderr.write(`holdfast: ${line}\n`);
  const built = await builtFrom({ directory, progress, guest: guestBytes, file: file === undefined ? undefined : resolve(io.cwd, file), version });
  progress('writing the image');
  const image = withDirectoryLock(directory, () => publishImage(directory, built), () => busy(directory));
  forgetChoice(directory);
  progress('trying how guests boot here');
  const accelerator = await acceleratorFor(directory, image);
  if (isSet(values['json'])) io.stdout.write(jsonText({ ...image, accelerator }));
  else io.stdout.write(`kernel ${image.kernelVersion}, image ${image.digest.slice(0, 16)}\n${acceleratorLine(accelerator)}\n`);
  return accelerator.kind === 'chosen' ? 0 : 1;
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
