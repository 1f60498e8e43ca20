import { parsePolicy, type ExampleResult, type Problem, tryExamples } from '../../policy/index.ts';
import type { PolicyText } from '../../sandbox/policy-texts.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { problemText } from './check.ts';
import { policySources } from './sources.ts';

/** The examples of one file, or why they cannot be tried. */
interface Tried {
  readonly file: string;
  readonly results: readonly ExampleResult[];
  readonly problems: readonly Problem[];
}

/** `holdfast policy test [FILE]`: the examples of all rules; 1 when one comes out otherwise. */
export function testPolicies(input: CommandInput, file: string | undefined): number {
  const tried = policySources(input, file).map(tryFile);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText(tried) : safeText(report(tried)));
  return tried.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

/** A broken example is a problem of its file, with its line; a file with problems has no results. */
function tryFile({ kind, file, text }: PolicyText): Tried {
  const parsed = parsePolicy(text, { file, kind });
  return parsed.kind === 'problems' ? { file, results: [], problems: parsed.problems } : { file, results: tryExamples(parsed.document.value), problems: [] };
}

function report(tried: readonly Tried[]): string {
  if (tried.length === 0) return 'no policy file holds here, so there are no examples\n';
  return tried.map(fileReport).join('');
}

function fileReport({ file, results, problems }: Tried): string {
  if (problems.length > 0) return problems.map(problemText).join('');
  const lines = results.map(({ rule, expects, example }) => `ok  ${rule} ${expects === 'match' ? 'matches' : 'does not match'} ${JSON.stringify(example)}\n`);
  return `${lines.join('')}${file}: ${summary(results.length)}\n`;
}

function summary(count: number): string {
  if (count === 0) return 'no examples';
  return count === 1 ? '1 example, as written' : `${count} examples, all as written`;
}
