import type { ListedFile } from '../../files/index.ts';
import { readArtifacts } from '../artifacts/artifacts.ts';
import type { CommandEnd, CommandEnding } from '../commands/command-handle.ts';
import { withNews, type Refusal } from '../refusals/refusal.ts';
import type { Reader } from '../shown-output.ts';
import type { CodeExecution } from './code-execution.ts';
import type { HeardOutput } from './heard-output.ts';
import type { Answered } from './interpreter.ts';
import { shapedResults } from './shaped-results.ts';
import type { CodeContextOptions, CodeParts } from './start-interpreter.ts';

/** What came of one text. */
export interface Ran extends Answered {
  readonly stdout: HeardOutput;
  readonly stderr: HeardOutput;
  readonly early: CommandEnding | undefined;
}

export interface Around extends CodeParts {
  readonly options: CodeContextOptions;
  readonly show: Reader | undefined;
}

/** The result as the caller gets it. */
export async function execution({ session, files, options, show }: Around, { replies, ended, stdout, stderr, early }: Ran, changed: readonly ListedFile[]): Promise<CodeExecution> {
  const [out, err] = [stdout.end(), stderr.end()];
  const shaped = shapedResults(replies, show);
  const findings = [...out.findings, ...err.findings, ...shaped.findings];
  if (show !== undefined) (await import('../shown-output.ts')).noteShown(session, { argv: ['run_code', options.language], reader: show, findings });
  const told = `${err.bytes.toString()}\n${shaped.error?.traceback ?? ''}`;
  const observed: readonly Refusal[] = told.trim() === '' ? [] : await (await import('../aftermath.ts')).observeRefusals(session, told, options.cwd ?? session.place.workspace.cwd);
  const { artifacts, leftOut } = await readArtifacts(files, changed);
  return {
    ...shaped,
    findings,
    stdout: out.bytes,
    stderr: err.bytes,
    truncated: { stdout: out.truncated, stderr: err.truncated },
    ending: endingOf(ended, early),
    ...(ended === undefined ? {} : endOf(ended)),
    artifacts,
    artifactsLeftOut: leftOut,
    refusals: withNews(ended?.refusals ?? [], observed),
    quarantined: ended?.quarantined ?? [],
  };
}

function endingOf(ended: CommandEnd | undefined, early: CommandEnding | undefined): CodeExecution['ending'] {
  if (early === 'timed-out' || early === 'aborted') return early;
  if (ended === undefined) return 'completed';
  return ended.ending === 'timed-out' ? 'timed-out' : 'exited';
}

function endOf(ended: CommandEnd): Pick<CodeExecution, 'exitCode' | 'signal' | 'error'> {
  if (ended.exitCode === 0) return { exitCode: 0 };
  return { exitCode: ended.exitCode, ...(ended.signal === 0 ? {} : { signal: ended.signal }), error: { name: 'InterpreterEnded', message: describeEnd(ended), traceback: '' } };
}

export function describeEnd({ exitCode, signal, ending }: CommandEnd): string {
  if (ending === 'timed-out') return 'its time was over';
  return signal === 0 ? `its interpreter exited with status ${exitCode}` : `its interpreter was ended by signal ${signal}`;
}
