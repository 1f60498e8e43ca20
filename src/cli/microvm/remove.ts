import { existsSync } from 'node:fs';
import { removeImages } from '../../backends/microvm/build/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import type { CommandInput } from '../command.ts';
import { busy } from './busy.ts';
import type { MicrovmPlace } from './index.ts';

export function remove({ io }: CommandInput, { directory }: MicrovmPlace): number {
  if (existsSync(directory)) withDirectoryLock(directory, () => removeImages(directory), () => busy(directory));
  io.stdout.write('no image is left\n');
  return 0;
}
