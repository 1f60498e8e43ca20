import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { attributesOf } from '../tree/metadata.ts';

/** Returns all properties that equal trees share, one line per entry, to compare whole trees in tests. */
export function snapshot(top: string | Buffer): readonly string[] {
  const inodes = new Map<bigint, number>();
  const describe = (path: Buffer, name: string): readonly string[] => {
    const stats = lstatSync(path, { bigint: true });
    const names = stats.isDirectory() ? readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare) : [];
    if (!inodes.has(stats.ino)) inodes.set(stats.ino, inodes.size);
    const links = stats.isDirectory() ? '' : ` file ${inodes.get(stats.ino)}`;
    const content = stats.isFile()
      ? hash('sha256', readFileSync(path))
      : stats.isSymbolicLink()
        ? readlinkSync(path, { encoding: 'buffer' }).toString('base64')
        : '';
    const attributes = [...attributesOf(path)].map(([key, value]) => `${key}=${value.toString('base64')}`).sort();
    const line = `${name} ${stats.mode.toString(8)} ${stats.uid}:${stats.gid} ${stats.mtimeNs}${links} ${content} ${attributes.join(' ')}`;
    return [
      line,
      ...names.flatMap((inner) =>
        describe(Buffer.concat([path, Buffer.from('/'), inner]), `${name}/${inner.toString('latin1')}`),
      ),
    ];
  };
  return describe(Buffer.from(top), '');
}
