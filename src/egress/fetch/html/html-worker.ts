/** Runs in a process of its own, which is ended when it takes too long or too much memory: see `convert-html.ts`. */
import { text } from 'node:stream/consumers';
import process from 'node:process';
import { convert } from 'html-to-text';
import { htmlOptions } from './html-options.ts';

const [, , url = ''] = process.argv;
void text(process.stdin).then((html) => process.stdout.write(convert(html, htmlOptions(url))));
