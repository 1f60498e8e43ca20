import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandTable } from '../src/cli/table.ts';
import { type Command, usageOf } from '../src/cli/command.ts';
import type { CommandRow } from '../src/policy/features/feature.ts';

const directory = join(import.meta.dirname, '../src/cli');

/** A command with its row in the table, and its help text. */
export type DescribedCommand = Omit<Command, 'usage'> & Pick<CommandRow, 'summary'> & { readonly usage: string };

/** Every built command, in the order of the table. */
export function loadCommands(): Promise<readonly DescribedCommand[]> {
  return Promise.all(
    commandTable
      .filter(({ module }) => existsSync(join(directory, module)))
      .map(async ({ module, export: name, summary }) => {
        const loaded = (await import(/* @vite-ignore */ join(directory, module))) as Readonly<
          Record<string, Command | undefined>
        >;
        const command = loaded[name];
        if (command === undefined) throw new Error(`src/cli/${module} does not export ${name}`);
        return { ...command, usage: await usageOf(command), summary };
      }),
  );
}
