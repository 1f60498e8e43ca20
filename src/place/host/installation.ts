import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../../errors/index.ts';
import { refuseInsideBox } from './inside-box.ts';

export interface Installation {
  /** Root of the package. */
  readonly root: string;
  readonly launcher: string;
  /** The program that performs the calls of `sandbox.files` inside a box. */
  readonly filesWorker: string;
  /** The first program of a microVM's guest. */
  readonly guest: string;
  /** The file that is running, or the file that represents everything built with it. Another file means other code. */
  readonly code: string;
  /** Read-only inside the box, so that `holdfast why` runs there. */
  readonly visible: readonly string[];
}

/**
 * Finds the package from which this code was loaded. Throws `HF_LAUNCHER_MISSING` if the launcher was not built, and
 * `HF_USAGE` in a box, even in one that can read a whole clone.
 */
export function findInstallation(start: string = here()): Installation {
  refuseInsideBox();
  const root = packageRoot(start);
  const programs = programsOf(root);
  if (programs === undefined) {
    const launcher = join(root, 'native/build/holdfast-launch');
    throw new HoldfastError('HF_LAUNCHER_MISSING', `${launcher} does not exist`, {
      remedy: `run \`make -C ${join(root, 'native')}\`, which needs a C compiler`,
    });
  }
  const filesWorker = join(programs, 'holdfast-files');
  const node = realpathSync.native(process.execPath);
  return {
    root,
    launcher: join(programs, 'holdfast-launch'),
    filesWorker,
    guest: join(programs, 'holdfast-guest'),
    code: codeOf(root, start),
    visible: [join(root, 'dist'), join(root, 'bin'), join(root, 'package.json'), filesWorker, node],
  };
}

/**
 * All bundles are built and replaced together, so one represents all. So a remembered plan is valid for each of them.
 */
function codeOf(root: string, start: string): string {
  const entry = join(root, 'dist/holdfast.cjs');
  return start.startsWith(`${realpathSync.native(root)}/dist/`) && existsSync(entry) ? entry : start;
}

/** A clone has the programs built there, and a package has those of each architecture. */
function programsOf(root: string): string | undefined {
  const built = join(root, 'native/build');
  return [built, join(built, `${process.platform}-${process.arch}`)].find((directory) =>
    existsSync(join(directory, 'holdfast-launch')),
  );
}

/** Returns the version in the package from which this code was loaded. */
export function installedVersion(): string {
  const text = readFileSync(join(packageRoot(here()), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function here(): string {
  return typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url);
}

function packageRoot(from: string): string {
  for (let directory = dirname(from); ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'native/Makefile'))) return realpathSync.native(directory);
    if (directory === dirname(directory))
      throw new HoldfastError('HF_LAUNCHER_MISSING', `no Holdfast installation was found around ${from}`, {
        remedy: 'reinstall holdfast',
      });
  }
}
