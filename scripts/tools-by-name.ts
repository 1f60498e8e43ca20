import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { allTools } from '../src/shell/tools/tool-for.ts';

const directory = join(import.meta.dirname, '../src/shell/tools');

/** One folder of specifications; its index exports them as `${folder}Tools`. */
interface Family {
  readonly folder: string;
  readonly names: readonly string[];
}

/** A command line names a few programs. All other tables would take a fifth of a hook's time in a new process. */
export const toolsByName: Plugin = {
  name: 'tools-by-name',
  setup(builder) {
    builder.onLoad({ filter: /\/shell\/tools\/tool-for\.ts$/ }, async ({ path }) => ({
      contents: lazySource(await families()),
      loader: 'js',
      resolveDir: dirname(path),
    }));
  },
};

async function families(): Promise<readonly Family[]> {
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name);
  const found = await Promise.all(folders.map(familyOf));
  const [named, known] = [found.flatMap(({ names }) => names), allTools.flatMap(({ names }) => names)].map((names) =>
    names.toSorted().join(' '),
  );
  if (named !== known)
    throw new Error('the folders of src/shell/tools hold other programs than src/shell/tools/tool-for.ts knows');
  return found;
}

async function familyOf(folder: string): Promise<Family> {
  const module = (await import(join(directory, folder, 'index.ts'))) as Readonly<Record<string, typeof allTools>>;
  return { folder, names: (module[`${folder}Tools`] ?? []).flatMap(({ names }) => names) };
}

function lazySource(all: readonly Family[]): string {
  const loaders = all.map(({ folder }) => `() => require('./${folder}/index.ts').${folder}Tools`);
  const places = all.flatMap(({ names }, at) => names.map((name) => [name, at] as const));
  return `const families = [${loaders.join(', ')}], places = new Map(${JSON.stringify(places)});
export const toolFor = (name) => places.has(name) ? families[places.get(name)]().find(({ names }) => names.includes(name)) : undefined;`;
}
