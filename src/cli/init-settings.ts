import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { shellQuote } from '../agents/hooks/quote.ts';
import type { InitOptions, SettingsChange } from '../agents/init/plan-change.ts';
import { HoldfastError } from '../errors/index.ts';
import { findInstallation, type Installation } from '../sandbox/host/installation.ts';
import { withheldPlace } from '../sandbox/trust/withheld-place.ts';
import { hiddenSurfaceNames } from '../trust/surfaces/index.ts';

/**
 * What the settings of an agent start: a small program that asks the server of `holdfast serve` and starts Node where none answers. It keeps the
 * time, too: Codex and Gemini CLI run the tool of a hook that is late. Throws `HF_LAUNCHER_MISSING` where a clone has not built it.
 */
export function hookProgram({ launcher, root }: Pick<Installation, 'launcher' | 'root'> = findInstallation()): readonly string[] {
  const small = join(dirname(launcher), 'holdfast-hook');
  if (!existsSync(small)) throw new HoldfastError('HF_LAUNCHER_MISSING', `${small} does not exist`, { remedy: `run \`make -C ${join(root, 'native')}\`, which needs a C compiler` });
  return [small, process.execPath, resolve(process.argv[1] ?? '')];
}

/** What is written into a repository counts as what the repository brings, whoever wrote it. Empty where boxes have it anyway. */
export function withheldNote({ file }: Pick<SettingsChange, 'file'>, { scope, workspace }: Pick<InitOptions, 'scope' | 'workspace'>): string {
  const path = relative(workspace, file);
  if (scope === 'user' || path.startsWith('../') || withheldPlace(hiddenSurfaceNames(), path) === undefined) return '';
  return `Boxes do not have this file, nor does an agent that runs in one, until you say yes to it:\n  holdfast trust add ${shellQuote(path)}\n`;
}
