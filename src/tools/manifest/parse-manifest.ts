import { parse, TomlError } from 'smol-toml';
import { type BaseIssue, type InferOutput, safeParse } from 'valibot';
import { type HostPattern, parseHostPattern } from '../../policy/index.ts';
import { invalid } from '../failure.ts';
import { manifestSchema } from './schema.ts';

/** What one tool may have at most. The policy may give it less, and never more. */
export interface Manifest extends Readonly<Omit<InferOutput<typeof manifestSchema>, 'hosts'>> {
  /** As shown in messages. */
  readonly file: string;
  readonly hosts: readonly HostPattern[];
}

const largestText = 65_536;

/** Reads a manifest. Throws `HF_TOOL_INVALID`, which names everything that is wrong with it. Pure. */
export function parseManifest(text: string, file: string): Manifest {
  if (text.length > largestText)
    throw invalid(file, [`it has ${text.length} characters, more than the ${largestText} that are read`]);
  const result = safeParse(manifestSchema, tomlOf(text, file));
  if (!result.success) throw invalid(file, result.issues.map(issueText));
  const { hosts, ...others } = result.output;
  const patterns = hosts.map(parseHostPattern);
  const problems = [
    ...patterns.flatMap((pattern) =>
      pattern.kind === 'problem'
        ? [`hosts: ${'message' in pattern ? `${pattern.message}; ${pattern.remedy}` : 'an unknown pattern'}`]
        : [],
    ),
    ...findings(others),
  ];
  if (problems.length > 0) throw invalid(file, problems);
  return { ...others, file, hosts: patterns.flatMap((pattern) => (pattern.kind === 'host' ? [pattern] : [])) };
}

function tomlOf(text: string, file: string): unknown {
  try {
    return parse(text, { maxDepth: 8, unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw invalid(file, [
      `line ${error.line} is no valid TOML: ${(error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')}`,
    ]);
  }
}

/** Pages: its own objects take some twelve. */
const leastOfJavaScript = 32;

/** What each key says is right, and the two together are not. */
function findings({
  kind,
  entry,
  fuel,
  memory,
  paths,
}: Omit<InferOutput<typeof manifestSchema>, 'hosts'>): readonly string[] {
  const homely = [...paths.read, ...paths.write].filter((path) => path.startsWith('~'));
  return [
    ...(kind === 'wasm' && fuel !== undefined
      ? ['fuel counts steps of JavaScript: a "wasm" tool has its deadline alone']
      : []),
    ...(kind === 'javascript' && entry !== undefined
      ? ['entry is the function of a "wasm" tool: JavaScript runs from its first line']
      : []),
    ...(kind === 'javascript' && memory < leastOfJavaScript
      ? [`memory is less than the ${leastOfJavaScript} pages that QuickJS itself needs`]
      : []),
    ...homely.map(
      (path) => `paths: ${JSON.stringify(path)} has a ~, which no shell replaces here: write the path itself`,
    ),
  ];
}

function issueText(issue: BaseIssue<unknown>): string {
  const at = (issue.path ?? [])
    .map(({ key }) => String(key))
    .join('.')
    .slice(0, 100);
  if (issue.type === 'strict_object' && issue.expected === 'never') return `unknown key ${JSON.stringify(at)}`;
  if (issue.received === 'undefined') return `"${at}" is missing`;
  if (issue.kind === 'validation') return `${at} ${issue.message}`;
  return `${at} has to be ${(issue.expected ?? 'something else').replaceAll(' | ', ' or ').replaceAll(/[()]/gu, '')}, not ${issue.received.slice(0, 60)}`;
}
