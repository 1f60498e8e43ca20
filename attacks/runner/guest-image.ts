import { cpSync, existsSync, lchownSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Below a state directory, as `holdfast microvm build` makes it. */
const imagePath = 'holdfast/microvm';

/**
 * Gives an otherwise empty home the guest kernel of the runner's own user, if one exists. An image counts only for its
 * owner.
 */
export function placeGuestImage(home: string, uid: number | undefined): void {
  const image = join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), imagePath);
  if (!existsSync(image)) return;
  const copy = join(home, '.local/state', imagePath);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  cpSync(image, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  if (uid === undefined) return;
  const entries = readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((entry) => join(copy, entry));
  for (const path of [
    join(home, '.local'),
    join(home, '.local/state'),
    join(home, '.local/state/holdfast'),
    copy,
    ...entries,
  ])
    lchownSync(path, uid, uid);
}
