import { readFileSync } from 'node:fs';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import type { CommandIo } from '../command.ts';

/** A secret from the terminal, where it does not show, or from stdin; without the line break at its end. */
export async function readSecret(name: string, { stderr }: Pick<CommandIo, 'stderr'>): Promise<string> {
  const secret = process.stdin.isTTY ? await ask(`secret of ${name}: `, stderr) : readFileSync(0, 'utf8').replace(/\r?\n$/u, '');
  if (secret === '') throw new HoldfastError('HF_USAGE', 'the secret is empty', { remedy: 'type it at the terminal, or give it to stdin' });
  if (/\p{Cc}/u.test(secret)) throw new HoldfastError('HF_USAGE', 'the secret holds a line break or another control character', { remedy: 'give the secret alone; keys of several lines go into a file: --from file:PATH' });
  return secret;
}

/** In raw mode a terminal echoes nothing, and every key is ours to understand. Nobody is asked before that: some type fast. */
async function ask(prompt: string, stderr: CommandIo['stderr']): Promise<string> {
  const { stdin } = process;
  stdin.setRawMode(true);
  try {
    stderr.write(prompt);
    return await typed(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function typed(stdin: NodeJS.ReadStream): Promise<string> {
  let line = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    for (const key of String(chunk)) {
      if (endings.has(key)) return line;
      if (interrupts.has(key)) throw new HoldfastError('HF_USAGE', 'nothing was added', { remedy: 'start again when you have the secret at hand' });
      if (key === killLine) line = '';
      else line = erasers.has(key) ? [...line].slice(0, -1).join('') : `${line}${key}`;
    }
  }
  return line;
}

/** As stty(1) has them by default: a line ends with Return or ^D, and ^C, ^\ and ^Z mean no. */
const endings: ReadonlySet<string> = new Set(['\r', '\n', '\u0004']);
const interrupts: ReadonlySet<string> = new Set(['\u0003', '\u001A', '\u001C']);
const erasers: ReadonlySet<string> = new Set(['\b', '\u007F']);
const killLine = '\u0015';
