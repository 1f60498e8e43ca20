import { readFileSync } from 'node:fs';
import { describeGuest, describeInside, findGuests, insideWsl } from '../backends/delegate/index.ts';

/** A line for each machine beside this one, and one where this machine is itself such a one. Nothing where there is nothing of the kind. */
export async function describeBeside(): Promise<readonly string[]> {
  const inside = insideWsl({ version: textOf('/proc/version'), interop: textOf('/proc/sys/fs/binfmt_misc/WSLInterop') });
  return [...describeInside(inside), ...(await findGuests()).map(describeGuest)];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
