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

/**
 * Writes `holdfast.bash`, `holdfast.zsh` and `holdfast.fish`, which `holdfast completion` prints. Also writes
 * `actions.json`, for users who type an action without its command.
 */
export function writeCompletions(commands: readonly DescribedCommand[], into: string): void {
  const shapes = commands.map(shapeOf);
  mkdirSync(into, { recursive: true });
  for (const [shell, script] of Object.entries(scripts)) writeFileSync(join(into, `holdfast.${shell}`), script(shapes));
  writeFileSync(join(into, 'actions.json'), JSON.stringify(commandsOfActions(shapes)));
}

/** `{ "explain": ["policy explain"] }`. Excludes the names of commands, and words with too many matches to print. */
export function commandsOfActions(shapes: readonly CommandShape[]): Readonly<Record<string, readonly string[]>> {
  const ways = shapes.flatMap(({ name, forms }) =>
    [...new Set(forms.flatMap(({ path }) => path.slice(0, 1)))].map((action) => ({ action, way: `${name} ${action}` })),
  );
  const names = new Set(shapes.map(({ name }) => name));
  return Object.fromEntries(
    [...Map.groupBy(ways, ({ action }) => action)]
      .filter(([action, of]) => !names.has(action) && of.length <= 3)
      .map(([action, of]) => [action, of.map(({ way }) => way)]),
  );
}
