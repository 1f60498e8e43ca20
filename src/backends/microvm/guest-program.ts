import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { MicrovmImage } from './build/image.ts';
import type { HostFile } from './microvm-plan.ts';

/** `holdfast-guest` beside the launcher. The two ends speak one protocol only when they are one program. Throws `HF_BACKEND_MISSING`. */
export function guestProgram(launcher: string, image: Pick<MicrovmImage, 'guest'>): HostFile {
  const path = join(dirname(launcher), 'holdfast-guest');
  const guest = fileAt(path);
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== image.guest) throw missing('the image of the guest is of another version', 'run `holdfast microvm build` again');
  return guest;
}

export function fileAt(path: string): HostFile {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path, identity: { device: String(dev), inode: String(ino), type: 'file' } };
  } catch (cause) {
    throw missing(`${path} does not exist`, 'run `make -C native`, which needs a C compiler, then `holdfast microvm build`', cause);
  }
}

export function missing(what: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BACKEND_MISSING', what, { remedy, cause });
}
