import type { FileFormat } from '../types.ts';
import { parseGitSettings } from './git-config.ts';
import { parseJson } from './json.ts';
import { parseDotenv, parseGitAttributes, parseIni } from './lines.ts';
import { parseMarkdown } from './markdown.ts';
import { nothing, type Parsed } from './value.ts';
import { parseXml } from './xml.ts';

type Reader = (text: string) => Parsed | Promise<Parsed>;

/** One for each format, none of which throws. Libraries are loaded at the first file that needs one: most repositories have no such. */
export const readers: Readonly<Record<Exclude<FileFormat, 'source'>, Reader>> = {
  json: guarded(parseJson),
  jsonc: guarded(parseJson),
  ini: guarded(parseIni),
  dotenv: guarded(parseDotenv),
  'git-attributes': guarded(parseGitAttributes),
  'git-config': guarded(parseGitSettings),
  xml: guarded(parseXml),
  toml: async (text) => (await import('./toml.ts')).parseToml(text),
  yaml: async (text) => (await import('./yaml.ts')).parseYaml(text),
  markdown,
};

/** The library is only needed for a front matter. */
async function markdown(text: string): Promise<Parsed> {
  const readFront = /^---[ \t]*[\r\n]/u.test(text) ? (await import('./yaml.ts')).parseYaml : () => ({ value: nothing });
  return guarded((all) => parseMarkdown(all, readFront))(text);
}

/** A regular expression over a text of megabytes may run out of stack: that is a file that cannot be read. */
function guarded(read: (text: string) => Parsed): (text: string) => Parsed {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof RangeError) return { value: nothing, problem: 'it is too large to be read' };
      throw error;
    }
  };
}
