import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { discover } from '../../trust/discover/index.ts';
import { isHoldfastError } from '../../errors/index.ts';
import { recordName } from '../../trust/store/layout.ts';
import { readOwnFile } from '../../trust/store/read-own-file.ts';
import type { Discovery } from '../../trust/types.ts';
import type { TrustPlace } from './workspace-trust.ts';

/** What is found now, with the help of what was found the last time: for showing, never for approving. */
export async function rememberedDiscovery({ root, paths }: TrustPlace): Promise<Discovery> {
  const directory = join(paths.state, 'discovered');
  const file = join(directory, recordName(root));
  const before = recall(file);
  const discovery = await discover(root, before === undefined ? {} : { memory: before });
  const after = discovery.memory();
  if (after !== before) remember(directory, file, after);
  return discovery;
}

/** Bytes. */
const longest = 256 << 20;

/** What another could have written is not remembered at all. */
function recall(file: string): string | undefined {
  try {
    return readOwnFile(file, longest)?.toString();
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

/** Forgetting costs a moment the next time, so a directory that cannot take it is no failure. */
function remember(directory: string, file: string, text: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
