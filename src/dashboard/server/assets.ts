import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

/** The page's files by path, read once. Throws `HF_USAGE` when they were not built. */
export function loadAssets(directory: string): ReadonlyMap<string, Asset> {
  return new Map(files.map(([path, name, type]) => [path, { type, body: read(join(directory, name)) }]));
}

/** Only what stands here is served: no path of a request ever becomes one of the disk. */
const files: readonly (readonly [path: string, name: string, type: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
];

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new HoldfastError('HF_USAGE', `the dashboard's page is not built: ${file} cannot be read`, { remedy: 'reinstall holdfast, or run `npm run build` in a clone', cause: error });
  }
}
