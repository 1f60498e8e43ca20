import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import { attributesOf } from '../../../kernel/index.ts';

/**
 * All visible properties of a tree: one line for each entry, by path, one character for each byte. `entries`: without
 * the times of directories and without links, which overlays show differently.
 */
export function snapshot(top: string, detail: 'all' | 'entries' = 'all'): readonly string[] {
  const lines: string[] = [];
  const firstNames = new Map<string, string>();
  const visit = (path: Buffer, name: string): void => {
    const stats = lstatSync(path, { bigint: true });
    const key = `${stats.dev}:${stats.ino}`;
    if (!firstNames.has(key)) firstNames.set(key, name);
    const attributes = [...attributesOf(path)]
      .filter(([attribute]) => attribute.startsWith('user.'))
      .map(([attribute, value]) => `${attribute}=${value.toString('hex')}`)
      .toSorted();
    const same = stats.isDirectory() || detail === 'entries' ? '' : `links ${stats.nlink} like ${firstNames.get(key)}`;
    const times = stats.isDirectory() && detail === 'entries' ? '' : stats.mtimeNs;
    lines.push(
      [
        name,
        stats.mode.toString(8),
        ownerOf(stats.uid, process.getuid?.()),
        ownerOf(stats.gid, process.getgid?.()),
        times,
        same,
        contentOf(path, stats),
        attributes.join(' '),
      ].join(' | '),
    );
    if (stats.isDirectory())
      for (const each of readdirSync(path, { encoding: 'buffer' }).toSorted(Buffer.compare))
        visit(Buffer.concat([path, Buffer.from('/'), each]), `${name}/${each.toString('latin1')}`);
  };
  visit(Buffer.from(top), '');
  return lines;
}

/** A user namespace maps the same user to another number. */
function ownerOf(id: bigint, own: number | undefined): string {
  return id === BigInt(own ?? -1) ? 'own' : String(id);
}

function contentOf(
  path: Buffer,
  stats: ReturnType<typeof lstatSync> & { readonly size: bigint; readonly blocks: bigint },
): string {
  if (stats.isSymbolicLink()) return readlinkSync(path, { encoding: 'buffer' }).toString('latin1');
  if (!stats.isFile()) return '';
  const sparse = stats.size > 1_000_000n && stats.blocks * 512n < stats.size / 2n ? 'sparse' : '';
  return `${stats.size} ${sparse} ${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
}
