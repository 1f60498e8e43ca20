import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Sandbox, type CodeLanguage } from '../src/sandbox/index.ts';
import { difference, medianOf } from './lib/compare.ts';
import { runner } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';

const run = promisify(execFile);
const bare: readonly (readonly [CodeLanguage, string, readonly string[]])[] = [
  ['python', 'python3', ['-c', 'print(1 + 1)']],
  ['javascript', process.execPath, ['-p', '1 + 1']],
  ['shell', 'bash', ['-c', 'echo $((1 + 1))']],
];

/** The cost of a text in a box: with a new interpreter, beside one without any box, and with a running interpreter. */
export async function code(): Promise<Report> {
  const scratch = makeScratch();
  await using sandbox = await Sandbox.create({ workspace: scratch.workspace, environment: scratch.environment });
  const contestants = await Promise.all(
    bare.map(async ([language, program, words]) => {
      const context = await sandbox.code.createContext({ language });
      const source = language === 'shell' ? 'echo $((1 + 1))' : '1 + 1';
      return [
        runner(`${language}: bare`, () => run(program, words)),
        runner(`${language}: code.run`, () => sandbox.code.run(source, { language })),
        runner(`${language}: in a context`, () => context.run(source)),
      ];
    }),
  );
  const results = await measure(contestants.flat(), { rounds: 20, warmups: 3 });
  return {
    title: 'code: 1 + 1 in a box',
    parts: [timeTable(results, 'python: bare')],
    budgets: bare.flatMap(([language]) => [
      {
        claim: `${language}: a text in a context that is there`,
        measured: medianOf(results, `${language}: in a context`),
        limit: 5,
        unit: 'ms',
        direction: 'at-most' as const,
      },
      {
        claim: `${language}: an interpreter of its own, over one without a box`,
        measured: difference(results, `${language}: code.run`, `${language}: bare`),
        limit: 60,
        unit: 'ms',
        direction: 'at-most' as const,
      },
    ]),
  };
}
