import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, resolve, sep } from 'node:path';
import { invalid } from '../failure.ts';
import { type Manifest, parseManifest } from './parse-manifest.ts';

/** A manifest with the bytes that it names. */
export interface LoadedTool {
  readonly manifest: Manifest;
  readonly module: Buffer;
  /** In hex. */
  readonly sha256: string;
  readonly language: 'javascript' | 'typescript' | 'wasm';
}

/** Bytes; compiling is not free, and whoever wrote the module is nobody's friend. */
const largestModule = 8 << 20;
const largestManifest = 1 << 18;

/** Reads `tool.toml` and its module. Runs nothing. Throws `HF_TOOL_INVALID` for what is wrong with either. */
export function loadTool(file: string): LoadedTool {
  const manifest = parseManifest(
    textOf(readBounded(realPath(file, file), { file, most: largestManifest }), file),
    file,
  );
  const module = readBounded(insideOf(file, manifest.module), { file, most: largestModule });
  const sha256 = createHash('sha256').update(module).digest('hex');
  if (manifest.sha256 !== undefined && manifest.sha256 !== sha256)
    throw invalid(file, [`${manifest.module} has the SHA-256 ${sha256}, and not the one that the manifest names`]);
  return { manifest, module, sha256, language: languageOf(manifest) };
}

/** A module elsewhere could be any file of the user: what would be wrong with its first line would then tell it. */
function insideOf(file: string, module: string): string {
  const path = realPath(resolve(dirname(file), module), file);
  const directory = realPath(dirname(resolve(file)), file);
  if (!path.startsWith(directory === sep ? sep : `${directory}${sep}`))
    throw invalid(file, [`the module ${module} is not below the directory of the manifest`]);
  return path;
}

function realPath(path: string, file: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw unreadable(path, file, error);
  }
}

function readBounded(path: string, { file, most }: { readonly file: string; readonly most: number }): Buffer {
  try {
    // A FIFO would hold us up, and /dev/zero has no end.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw invalid(file, [`${path} is no regular file`]);
      if (stats.size > most)
        throw invalid(file, [`${path} has ${stats.size} bytes, more than the ${most} that are read`]);
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw unreadable(path, file, error);
  }
}

function unreadable(path: string, file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('HF_') ? error : invalid(file, [`${path} cannot be read (${code})`]);
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(file, ['it is not valid UTF-8']);
  }
}

function languageOf({ kind, module }: Manifest): LoadedTool['language'] {
  if (kind === 'wasm') return 'wasm';
  return ['.ts', '.mts'].includes(extname(module)) ? 'typescript' : 'javascript';
}
