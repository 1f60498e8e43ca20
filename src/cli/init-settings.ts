import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { shellQuote } from '../agents/hooks/quote.ts';
import type { InitOptions, SettingsChange } from '../agents/init/plan-change.ts';
import { findInstallation } from '../sandbox/host/installation.ts';
import { withheldPlace } from '../sandbox/trust/withheld-place.ts';
import { hiddenSurfaceNames } from '../trust/surfaces/index.ts';

/** What the settings of an agent start: a small program that asks the server of `holdfast serve` and starts Node where none answers. A clone may not have built it. */
export function hookProgram(): readonly string[] {
  const small = join(dirname(findInstallation().launcher), 'holdfast-hook');
  return [...(existsSync(small) ? [small] : []), process.execPath, resolve(process.argv[1] ?? '')];
}

/** What is written into a repository counts as what the repository brings, whoever wrote it. Empty where boxes have it anyway. */
export function withheldNote({ file }: Pick<SettingsChange, 'file'>, { scope, workspace }: Pick<InitOptions, 'scope' | 'workspace'>): string {
  const path = relative(workspace, file);
  if (scope === 'user' || path.startsWith('../') || withheldPlace(hiddenSurfaceNames(), path) === undefined) return '';
  return `Boxes do not have this file, nor does an agent that runs in one, until you say yes to it:\n  holdfast trust add ${shellQuote(path)}\n`;
}
