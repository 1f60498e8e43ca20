import { existsSync } from 'node:fs';
import { removeImages } from '../../backends/microvm/build/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import type { CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';
import { busy } from './busy.ts';
import type { MicrovmPlace } from './index.ts';

export function remove(input: CommandInput, { directory }: MicrovmPlace): number {
  if (existsSync(directory)) withDirectoryLock(directory, () => removeImages(directory), () => busy(directory));
  printResult(input, { kind: 'absent' }, 'no image is left\n');
  return 0;
}
