import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedCommand } from '../load-commands.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { shapeOf, type CommandShape } from './shape.ts';
import { zshCompletion } from './zsh.ts';

const scripts: Readonly<Record<string, (commands: readonly CommandShape[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Writes `holdfast.bash`, `holdfast.zsh` and `holdfast.fish`, which `holdfast completion` prints. */
export function writeCompletions(commands: readonly DescribedCommand[], into: string): void {
  const shapes = commands.map(shapeOf);
  mkdirSync(into, { recursive: true });
  for (const [shell, script] of Object.entries(scripts)) writeFileSync(join(into, `holdfast.${shell}`), script(shapes));
}
