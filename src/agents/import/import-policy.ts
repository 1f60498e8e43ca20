import { readAgentsh } from './agentsh.ts';
import { readClaude } from './claude.ts';
import { readCodex } from './codex.ts';
import { readGemini } from './gemini.ts';
import { checkSourceSize } from './parse-source.ts';
import { type ImportPlaces, settleImport } from './settle.ts';
import type { ImportReading, Item, NotCarried } from './types.ts';

/**
 * Formats that can be imported: settings of Claude Code (JSON), rules of Codex, policies of Gemini CLI (TOML) and of
 * agentsh (YAML).
 */
export const importSources = ['claude', 'codex', 'gemini', 'agentsh'] as const;
export type ImportSource = (typeof importSources)[number];

export interface Imported {
  /** A user policy that `holdfast policy check` accepts. */
  readonly policy: string;
  /** All differences between the policy and the source. */
  readonly notCarried: readonly NotCarried[];
}

export interface ImportOptions {
  readonly source: ImportSource;
  readonly places: ImportPlaces;
}

const readers: Readonly<Record<ImportSource, (text: string) => ImportReading>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  agentsh: readAgentsh,
};

/**
 * Turns the rules of another tool into a policy that never allows a request that they refuse. A rule that has no exact
 * equivalent becomes a wider refusal or approval, and is reported. Reads and writes no file. Throws `HF_POLICY_INVALID`
 * and `HF_POLICY_TOO_LARGE` for a text of another format, and imports no part of it.
 */
export function importPolicy(text: string, { source, places }: ImportOptions): Imported {
  checkSourceSize(text);
  return settleImport(readers[source](text), { title: `imported from ${source}`, places });
}

export interface ImportedFile {
  readonly source: ImportSource;
  /** Name of the source, before its keys in reports. */
  readonly name: string;
  readonly text: string;
}

interface TogetherOptions {
  readonly title: string;
  readonly places: ImportPlaces;
  /** Further items of the policy, not from files. */
  readonly items?: readonly Item[];
}

/**
 * Imports several texts as one policy, which refuses each request that one of them refuses. Throws like `importPolicy`.
 */
export function importTogether(
  files: readonly ImportedFile[],
  { items: more = [], ...options }: TogetherOptions,
): Imported {
  const readings = files.map(({ source, name, text }): ImportReading => {
    checkSourceSize(text);
    const { items, notCarried } = readers[source](text);
    return {
      items: items.map((item) => ({ ...item, from: `${name} ${item.from}` })),
      notCarried: notCarried.map((each) => ({ ...each, at: `${name} ${each.at}` })),
    };
  });
  return settleImport(
    {
      items: [...more, ...readings.flatMap(({ items }) => items)],
      notCarried: readings.flatMap(({ notCarried }) => notCarried),
    },
    options,
  );
}
