import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface ConvertedHtml {
  readonly text: string;
  readonly form: 'html' | 'stripped';
}

export type HtmlConverter = (html: string, url: string) => Promise<ConvertedHtml>;

export interface HtmlConverterOptions {
  /** Milliseconds; default 5,000. */
  readonly timeout?: number;
  /** MiB of heap; default 256. An ordinary page of 5 MiB takes some 150. */
  readonly memory?: number;
}

/**
 * Turns pages into text in a process of its own: a page of 5 MB takes a second, in which a supervisor would serve
 * nobody, and a hostile one takes minutes or gigabytes. A thread would not do: when V8 finds no memory between two of
 * its checks, a thread that has a limit takes the whole process with it. What is not done in time comes without its
 * tags and nothing more.
 */
export function createHtmlConverter({ timeout = 5000, memory = 256 }: HtmlConverterOptions = {}): HtmlConverter {
  return async (html, url) => {
    const text = await convertIn(
      spawn(process.execPath, [...confined(memory), workerFile(), url], {
        env: {},
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout,
        killSignal: 'SIGKILL',
      }),
      html,
    );
    return text === undefined ? { text: stripTags(html), form: 'stripped' } : { text, form: 'html' };
  };
}

function confined(memory: number): readonly string[] {
  return [`--max-old-space-size=${memory}`, '--max-semi-space-size=16', '--stack-size=900', '--no-warnings'];
}

function convertIn(child: ChildProcessByStdio<Writable, Readable, null>, html: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(parts).toString() : undefined));
    // It may end before it has read all of the page.
    child.stdin.on('error', () => undefined).end(html);
  });
}

/**
 * Beside this file in the sources and among the commands' bundles; the library's bundle has it in the folder of those.
 */
function workerFile(): string {
  // Undefined in bundles of CommonJS. `__filename` is not asked first: `node -e` sets it for every module.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'html-worker.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'html-worker.ts' : 'cli/html-worker.cjs');
}

/** Elements whose content is no text. */
const silent = ['script', 'style', 'template', 'noscript'];

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
};

/** A page without its tags, in time linear in its length whatever it is: the last resort. */
export function stripTags(html: string): string {
  // Of ASCII alone: other letters change their length.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    pieces.push(html.slice(at, open));
    const name = silent.find((element) => lower.startsWith(element, open + 1));
    const content = name === undefined ? open : lower.indexOf(`</${name}`, open);
    const close = content === -1 ? -1 : html.indexOf('>', content);
    if (close === -1) return textOf(pieces);
    pieces.push(' ');
    at = close + 1;
  }
  pieces.push(html.slice(at));
  return textOf(pieces);
}

function textOf(pieces: readonly string[]): string {
  const text = pieces
    .join('')
    .replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[\t\r\f\v ]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
