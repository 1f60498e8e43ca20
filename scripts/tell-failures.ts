/**
 * Prints, as the last lines of a failed run, the failed tests and the file in which a worker died. Logs are often cut
 * at their start.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

interface Report {
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

const [, , file = ''] = process.argv;
const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
for (const line of report.testResults.flatMap(linesOf)) console.error(line);

function linesOf({ name, status, message, assertionResults }: FileReport): readonly string[] {
  const path = relative(process.cwd(), name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => `FAILED ${path}: ${fullName}: ${short(failureMessages[0])}`);
  const unfinished =
    assertionResults.some((test) => test.status === 'pending') && status === 'failed'
      ? [`UNFINISHED ${path}: its worker ended`]
      : [];
  const broken =
    status === 'failed' && failed.length + unfinished.length === 0 ? [`FAILED ${path}: ${short(message)}`] : [];
  return [...failed, ...unfinished, ...broken];
}

function short(text = ''): string {
  return text.split('\n').slice(0, 3).join(' ').slice(0, 300);
}
