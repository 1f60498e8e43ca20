import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { stripTags } from './strip-tags.ts';

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
 * Turns pages into text in a thread of its own: a page of 5 MB takes a second, in which a supervisor would serve nobody,
 * and a hostile one takes minutes or gigabytes. What is not done in time comes without its tags and nothing more.
 */
export function createHtmlConverter({ timeout = 5000, memory = 256 }: HtmlConverterOptions = {}): HtmlConverter {
  return async (html, url) => {
    const text = await convertIn(new Worker(workerFile(), { ...confined(memory), workerData: { html, url } }), timeout);
    return text === undefined ? { text: stripTags(html), form: 'stripped' } : { text, form: 'html' };
  };
}

/** A page finds no environment, and the parent's flags are for the parent. */
function confined(memory: number): ConstructorParameters<typeof Worker>[1] {
  return { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } };
}

function convertIn(worker: Worker, timeout: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (text: string | undefined): void => {
      clearTimeout(timer);
      resolve(text);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle(undefined), timeout);
    worker.on('message', (text: unknown) => settle(typeof text === 'string' ? text : undefined));
    worker.on('error', () => settle(undefined));
    worker.on('exit', () => settle(undefined));
  });
}

/** Beside this file in the sources and among the commands' bundles; the library's bundle has it in the folder of those. */
function workerFile(): string {
  // Undefined in bundles of CommonJS. `__filename` is not asked first: `node -e` sets it for every module.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'html-worker.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'html-worker.ts' : 'cli/html-worker.cjs');
}
