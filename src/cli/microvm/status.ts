import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { verifyImage, type MicrovmImage } from '../../backends/microvm/build/index.ts';
import { isSet, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { acceleratorFor, acceleratorLine } from './accelerator.ts';
import type { MicrovmPlace } from './index.ts';

/** 0 when microVMs can start from what is there, 1 otherwise. */
export async function status({ io, values }: CommandInput, { directory, guest }: MicrovmPlace): Promise<number> {
  const image = verifyImage(directory);
  if (image.kind === 'absent') {
    io.stdout.write(isSet(values['json']) ? jsonText(image) : `no image: ${image.remedy}\n`);
    return 1;
  }
  const program = stateOf(image, guest);
  const accelerator = await acceleratorFor(directory, image);
  if (isSet(values['json'])) io.stdout.write(jsonText({ ...image, program, accelerator }));
  else io.stdout.write(`kernel ${image.kernelVersion}, image ${image.digest.slice(0, 16)}, whole\n${program === 'same' ? '' : 'it was built for another version of Holdfast: run `holdfast microvm build` again\n'}${acceleratorLine(accelerator)}\n`);
  return program === 'same' && accelerator.kind === 'chosen' ? 0 : 1;
}

function stateOf(image: MicrovmImage, guest: string): 'same' | 'other' {
  return existsSync(guest) && createHash('sha256').update(readFileSync(guest)).digest('hex') === image.guest ? 'same' : 'other';
}
