import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox } from '../src/sandbox/index.ts';
import { filterTerminal, filterText, OutputFilter } from '../src/text/index.ts';
import { medianOf } from './lib/compare.ts';
import { selfTimed } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { type Report, timeTable, titles } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import { table } from './lib/table.ts';

const megabyte = 1e6;
const corpusSize = 20 * megabyte;
const outputSize = 100 * megabyte;
/** The size of one read from a pipe. */
const chunkSize = 65_536;
const rounds = 9;

const lines = {
  plain: 'GET /api/users?page=12 200 in 14 ms, 3120 bytes to 192.0.2.17, cache miss\n',
  'log with colours': '\u001b[32m12:04:11\u001b[0m INFO request served in 12 ms \u001b[1;34m/api/users\u001b[0m\n',
  'prose of many languages': 'Grüße aus Köln: 你好，世界。 Это строка журнала 😀 и ещё немного текста, مرحبا بالعالم\n',
  'Persian and families of emoji': 'من نمی‌خواهم این متن را بخوانم 👨‍👩‍👧 ok\n',
  'code with comments': '  const größe = items.map((item) => item.name ?? "—"); // größer als 10 €\n',
} as const;

/** The cost of showing text: the filter of characters, the filter of streams, and both on a command's output. */
export async function text(): Promise<Report> {
  const rates = Object.entries(lines).map(([name, line]) => ({ name, ...ratesOf(line) }));
  const rows = rates.map(({ name, characters, whole, stream }) => [
    name,
    characters.toFixed(0),
    whole.toFixed(0),
    stream.toFixed(0),
  ]);
  const outputs = await commandOutput();
  const overhead = ({ name }: Command): number =>
    100 * ((medianOf(outputs, `${name}, filtered`) ?? Number.NaN) / (medianOf(outputs, name) ?? Number.NaN) - 1);
  const plain = rates.find(({ name }) => name === 'plain');
  const mixed = rates.filter(({ name }) => name !== 'plain');
  return {
    title: 'text: what a filter costs',
    parts: [
      table(titles('MB/s', ['filterText alone', 'a whole text', 'a stream']), rows),
      `a command that prints ${outputSize / megabyte} MB of log\n${timeTable(outputs, commands[0].name)}`,
    ],
    budgets: [
      {
        claim: 'filterText, plain ASCII',
        measured: (plain?.characters ?? 0) / 1000,
        limit: 1,
        unit: 'GB/s',
        direction: 'at-least',
      },
      {
        claim: 'a stream of plain ASCII',
        measured: (plain?.stream ?? 0) / 1000,
        limit: 1,
        unit: 'GB/s',
        direction: 'at-least',
      },
      {
        claim: 'the slowest mixed text',
        measured: Math.min(...mixed.flatMap(({ whole, stream }) => [whole, stream])) / 1000,
        limit: 0.1,
        unit: 'GB/s',
        direction: 'at-least',
      },
      ...commands.map(
        (command) =>
          ({
            claim: `${command.name}, filtered: more time`,
            measured: overhead(command),
            limit: 2,
            unit: '%',
            direction: 'at-most',
          }) as const,
      ),
    ],
  };
}

/** Megabytes of UTF-8 a second, medians. */
function ratesOf(line: string): { readonly characters: number; readonly whole: number; readonly stream: number } {
  const bytes = Buffer.from(line.repeat(Math.ceil(corpusSize / Buffer.byteLength(line))));
  const whole = bytes.toString();
  return {
    characters: rateOf(bytes.length, () => filterText(whole)),
    whole: rateOf(bytes.length, () => filterText(filterTerminal(whole, { for: 'model' }).text)),
    stream: rateOf(bytes.length, () => stream(bytes)),
  };
}

function stream(bytes: Buffer): void {
  const filter = new OutputFilter();
  for (let at = 0; at < bytes.length; at += chunkSize) filter.push(bytes.subarray(at, at + chunkSize));
  filter.end();
}

function rateOf(size: number, run: () => unknown): number {
  const times = Array.from({ length: rounds + 2 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  const sorted = times.slice(2).toSorted((a, b) => a - b);
  return size / 1000 / (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}

interface Command {
  readonly name: string;
  readonly argv: readonly string[];
}

/** A command that works for its output, and one that only copies: none is faster. */
const commands = [
  { name: 'sed over a log', argv: ['sed', 's/users/people/', 'log'] },
  { name: 'cat of a log', argv: ['cat', 'log'] },
] as const satisfies readonly Command[];

/** Each command in a box, unfiltered and filtered in turn, so that neither has the quieter machine. */
async function commandOutput(): Promise<readonly Result[]> {
  const scratch = makeScratch();
  const line = lines.plain;
  writeFileSync(join(scratch.workspace, 'log'), line.repeat(Math.ceil(outputSize / line.length)));
  await using sandbox = await Sandbox.create({ workspace: scratch.workspace, environment: scratch.environment });
  const rows = commands.flatMap(({ name, argv }) => [
    selfTimed(name, () => print(sandbox, argv, { push: (chunk) => chunk })),
    selfTimed(`${name}, filtered`, () => print(sandbox, argv, new OutputFilter())),
  ]);
  return await measure(rows, { rounds: 11, warmups: 2 });
}

/** Milliseconds until a command has printed all, to a program that does nothing else with it. */
async function print(
  sandbox: Sandbox,
  argv: readonly string[],
  filter: { readonly push: (chunk: Buffer) => Uint8Array },
): Promise<number> {
  const start = performance.now();
  const handle = await sandbox.commands.start([...argv]);
  let seen = 0;
  for await (const chunk of handle.stdout) seen += filter.push(chunk as Buffer).length;
  const { exitCode } = await handle.ended;
  if (exitCode !== 0 || seen < outputSize) throw new Error(`${argv[0]}: exit ${exitCode}, ${seen} bytes`);
  return performance.now() - start;
}
