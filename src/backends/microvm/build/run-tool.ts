import { spawn } from 'node:child_process';
import { firstProgram } from '../../first-program.ts';
import { imageError } from './image-error.ts';

export interface ToolRun {
  readonly arguments: readonly string[];
  readonly cwd?: string;
  /** Standard input. Default: none. */
  readonly input?: Uint8Array;
  /** Receives the output. Default: the output is collected. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Bytes of output after which the program is ended. Default: 1 MiB. */
  readonly most?: number;
  /** Milliseconds after which the program is ended. Default: 60 000. */
  readonly limit?: number;
}

export interface HostToolResult {
  readonly ending: 'exited' | 'too-much' | 'too-long';
  /** 0 to 255. It is 255 if a signal ended the program. */
  readonly status: number;
  /** Empty if `onOutput` received it. */
  readonly output: Buffer;
  /** Its last 4 KiB. */
  readonly stderr: string;
}

/** System directories only. */
const directories = ['/usr/bin', '/bin', '/run/current-system/sw/bin'] as const;

export type ToolName = 'xz' | 'dpkg-deb' | 'apt-get' | 'apt-cache';

/**
 * Runs a program of the system with a small environment and a time limit. Throws `HF_IMAGE_FAILED` if it is not
 * installed.
 */
export function runTool(name: ToolName, run: ToolRun): Promise<HostToolResult> {
  const program = findTool(name);
  if (program === undefined)
    throw imageError(
      `${name} is not installed`,
      `install the package with ${name}, or use a kernel that does not need it: see \`holdfast microvm --help\``,
    );
  return runProgram(program, run);
}

export function findTool(name: ToolName): string | undefined {
  return firstProgram(directories.map((directory) => `${directory}/${name}`));
}

/** Rejects if the program cannot be started. */
function runProgram(
  program: string,
  { arguments: words, cwd, input, onOutput, most = 1 << 20, limit = 60_000 }: ToolRun,
): Promise<HostToolResult> {
  const child = spawn(program, words, {
    ...(cwd === undefined ? {} : { cwd }),
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  let [size, stderr] = [0, ''];
  let ending: HostToolResult['ending'] = 'exited';
  const end = (why: HostToolResult['ending']): void => {
    ending = why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(end, limit, 'too-long');
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) end('too-much');
    else if (onOutput === undefined) output.push(chunk);
    else onOutput(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-4096);
  });
  // A program that has ended does not read the rest of its input.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<HostToolResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ ending, status: status ?? 255, output: Buffer.concat(output), stderr }));
  });
  return ended.finally(() => clearTimeout(timer));
}

const kept = ['HOME', 'http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

function environment(): Readonly<Record<string, string>> {
  const given = kept.flatMap((name): readonly (readonly [string, string])[] =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...Object.fromEntries(given) };
}
