// The control of attacks on tools: runs a tool as a host does that trusts its language. It compares paths as written,
// checks the first URL alone, and counts no memory, steps or time.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , file, , input = ''] = process.argv;
const manifest = readFileSync(file, 'utf8');
const text = (key) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(manifest)?.[1];
const list = (key) => JSON.parse(new RegExp(`^${key} = (\\[.*\\])$`, 'm').exec(manifest)?.[1] ?? '[]');
const module = join(dirname(resolve(file)), text('module'));
const lists = list('read').map((path) => resolve(path));
const output = (value) => process.stdout.write(`${value}\n`);

function readFile(path, options = {}) {
  if (!options.unchecked && !lists.some((each) => resolve(path).startsWith(`${each}/`))) throw new Error('not listed');
  return readFileSync(resolve(path), 'utf8');
}

async function http(url) {
  if (!list('hosts').includes(new URL(url).hostname)) throw new Error('not listed');
  return { body: await (await fetch(url)).text() };
}

if (text('kind') === 'javascript') {
  globalThis.holdfast = { input, readFile, http, output };
  await import(pathToFileURL(module));
} else {
  const imports = { input_offset: () => 8n, input_length: () => 1n, output_set: () => output(input) };
  const { instance } = await WebAssembly.instantiate(readFileSync(module), { 'extism:host/env': imports });
  instance.exports.run();
}
