import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import type { Scratch } from './scratch.ts';

/** An open bash, bare or in a box. It runs lines and reports the time of each. */
export interface TimingShell {
  /** Milliseconds. Rejects when the line fails. */
  readonly run: (line: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** `EPOCHREALTIME` (bash 5) has microseconds and costs no process. Its decimal sign follows the locale. */
const loop = `
  while IFS= read -r line; do
    begin=\${EPOCHREALTIME//[.,]/}
    eval "$line" >/dev/null 2>errors; status=$?
    end=\${EPOCHREALTIME//[.,]/}
    echo "$status $((end - begin)) $(tr '\\n' ' ' <errors)"
  done`;

/** `prefix` holds the words of the tool that makes the box. Empty means no box. */
export function openShell(prefix: readonly string[], scratch: Scratch): TimingShell {
  const [program, ...args] = [...prefix, 'bash', '-c', loop];
  const child = spawn(program as string, args, {
    cwd: scratch.workspace,
    env: scratch.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const run = async (line: string): Promise<number> => {
    child.stdin.write(`${line}\n`);
    const { value, done } = await answers.next();
    if (done === true) throw new Error(`${program} ended before it had answered “${line}”`);
    return timeOf(line, String(value));
  };
  return { run, close: () => (child.stdin.end(), closed) };
}

function timeOf(line: string, answer: string): number {
  const [status, microseconds, ...errors] = answer.split(' ');
  if (status !== '0') throw new Error(`“${line}” ended with ${status}: ${errors.join(' ')}`);
  return Number(microseconds) / 1000;
}
