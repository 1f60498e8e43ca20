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
  /** Milliseconds. Default: 5,000. */
  readonly timeout?: number;
  /** MiB of heap. Default: 256. An ordinary page of 5 MiB takes about 150. */
  readonly memory?: number;
}

/**
 * Converts pages to text in a separate process. A page of 5 MB takes a second, during which the supervisor would serve
 * nobody else. A hostile page takes minutes or gigabytes. A thread is not enough: if V8 runs out of memory between two
 * of its checks, even a limited thread ends the whole process. A page that is not converted in time only has its tags
 * removed.
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
    // The process may end before it has read the whole page.
    child.stdin.on('error', () => undefined).end(html);
  });
}

/**
 * The worker is next to this file in the sources, and next to the bundles of the commands. The library's bundle finds
 * it in their folder.
 */
function workerFile(): string {
  // Undefined in CommonJS bundles. `__filename` is not checked first, because `node -e` sets it for every module.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'html-worker.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'html-worker.ts' : 'cli/html-worker.cjs');
}

/** Elements whose content is not shown as text. */
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

/** Last resort: removes the tags of a page, in time linear in its length for any page. */
export function stripTags(html: string): string {
  // ASCII only, because other letters can change length when they change case.
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
