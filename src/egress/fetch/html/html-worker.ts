/** Runs in a thread of its own, which is ended when it takes too long or too much memory: see `convert-html.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { convert } from 'html-to-text';
import { htmlOptions } from './html-options.ts';

const { html, url } = workerData as { readonly html: string; readonly url: string };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(convert(html, htmlOptions(url)));
