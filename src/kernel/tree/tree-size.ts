import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { below, withDirectory } from './place.ts';

/** Bytes that a file, a link or a tree takes on the disk: holes take none, and hard links count once. */
export function treeSize(path: Buffer): number {
  return sizeOf(path, new Set());
}

function sizeOf(path: Buffer, counted: Set<bigint>): number {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory()) return counted.has(stats.ino) ? 0 : fileSize(stats, counted);
  return withDirectory(path, (directory) => readdirSync(below(directory, ''), { encoding: 'buffer' }).reduce((sum, name) => sum + sizeOf(below(directory, name), counted), Number(stats.size)));
}

const blockSize = 512n;

function fileSize(stats: BigIntStats, counted: Set<bigint>): number {
  if (stats.nlink > 1n) counted.add(stats.ino);
  const allocated = stats.blocks * blockSize;
  return Number(stats.isFile() && allocated < stats.size ? allocated : stats.size);
}
