// Runs in the box, in the Node that the code runs in: what the code does to it, it does to itself. The body of a function of
// `require` and `load`, the `import()` of the program; imports.cjs stands before it. Protocol: see ../protocol/encode-request.ts.
// V8's REPL mode is what gives top-level `await`, the value of the last expression, and a `const` that may be declared again; it is had
// through the inspector.
const fs = require('node:fs');
const vm = require('node:vm');
const util = require('node:util');
const { Readable } = require('node:stream');
const { Session } = require('node:inspector');

// With its header less than PIPE_BUF, so that what others write to stderr falls between two of them.
const pieceSize = 3900;
const longestText = 1 << 20;
const largestFormat = 8 << 20;
const mostOfARun = 20 << 20;
const mostResults = 900;
const mostFormats = 32;
const mimeType = /^[\w.+-]{1,49}\/[\w.+-]{1,49}$/u;
const hooks = { display: Symbol.for('Jupyter.display'), evaluate: Symbol.for('holdfast.evaluate'), take: Symbol.for('holdfast.take') };

const session = new Session();
session.connect();
const stdin = process.stdin;
const flushed = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream));
const { writeSync } = fs;
let current = { nonce: '', room: 0, leftOut: 0, results: 0, shown: [] };
let interrupt = () => undefined;
let early = '';

Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
Object.defineProperty(globalThis, importName, { value: load });
Object.assign(globalThis, { require, display: (...values) => values.forEach((value) => current.shown.push(show('display', value, current))) });
process.on('SIGINT', () => interrupt());
process.on('uncaughtException', (error) => process.stderr.write(`Uncaught ${util.inspect(error)}\n`));
process.on('unhandledRejection', (error) => process.stderr.write(`Uncaught (in promise) ${util.inspect(error)}\n`));

function write(descriptor, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

function send({ nonce }, message) {
  const data = Buffer.from(JSON.stringify(message));
  for (let at = 0; at < data.length; at += pieceSize) {
    const piece = data.subarray(at, at + pieceSize);
    write(2, Buffer.concat([Buffer.from(`\0${nonce}${at + pieceSize < data.length ? '+' : '.'}${piece.length}\n`), piece]));
  }
}

function isPlain(value) {
  if (['string', 'boolean'].includes(typeof value) || Number.isFinite(value) || Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

async function bundleOf(value) {
  const bundle = { 'text/plain': util.inspect(value, { depth: 4, maxArrayLength: 200, maxStringLength: longestText, breakLength: 120 }) };
  try {
    if (isPlain(value)) bundle['application/json'] = JSON.stringify(value);
    if (typeof value?.[hooks.display] === 'function') Object.assign(bundle, await value[hooks.display]());
  } catch {
    // A value that cannot be shown in one form is shown in the others.
  }
  return bundle;
}

function formatOf(type, value) {
  if (!mimeType.test(type)) return undefined;
  if (value instanceof Uint8Array) return { type, base64: Buffer.from(value).toString('base64') };
  const text = type.endsWith('json') && typeof value !== 'string' ? JSON.stringify(value) : value;
  if (typeof text !== 'string') return undefined;
  if (type.startsWith('image/') && type !== 'image/svg+xml') return { type, base64: Buffer.from(text, 'base64').toString('base64') };
  return { type, text: type === 'text/plain' && text.length > longestText ? `${text.slice(0, longestText)}…` : text };
}

async function show(kind, value, run) {
  const formats = [];
  for (const [type, given] of Object.entries(await bundleOf(value)).slice(0, mostFormats)) {
    const format = formatOf(type, given);
    if (format === undefined) continue;
    const size = (format.text ?? format.base64).length;
    if (size > largestFormat || size > run.room) run.leftOut += 1;
    else {
      run.room -= size;
      formats.push(format);
    }
  }
  if (formats.length === 0) return;
  if (run.results === mostResults) {
    run.leftOut += formats.length;
    return;
  }
  run.results += 1;
  send(run, { kind, formats });
}

const post = (method, parameters) => new Promise((resolve, reject) => session.post(method, parameters, (error, answer) => (error === null ? resolve(answer) : reject(new Error(error.message)))));

/** The value itself, of which the inspector tells a description. */
async function valueOf({ objectId, unserializableValue, value }) {
  if (unserializableValue !== undefined) return vm.runInThisContext(unserializableValue);
  if (objectId === undefined) return value;
  let taken;
  globalThis[hooks.take] = (object) => (taken = object);
  await post('Runtime.callFunctionOn', { objectId, functionDeclaration: "function () { 'use strict'; globalThis[Symbol.for('holdfast.take')](this); }" });
  delete globalThis[hooks.take];
  return taken;
}

/** Settles early when it is interrupted: a loop by the signal itself, what waits by a message or the listener. */
function evaluate(expression) {
  return new Promise((resolve, reject) => {
    interrupt = () => reject(new Interrupted('interrupted'));
    // No promise: a signal may end this function before someone handles its rejection.
    globalThis[hooks.evaluate] = () => session.post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true, objectGroup: 'run' }, (error, answer) => (error === null ? resolve(answer) : reject(new Interrupted('interrupted'))));
    try {
      new vm.Script("globalThis[Symbol.for('holdfast.evaluate')]()").runInThisContext({ breakOnSigint: true });
    } catch {
      reject(new Interrupted('interrupted'));
    }
  });
}

class Interrupted extends Error {
  name = 'Interrupted';
}

function errorOf(error) {
  const whole = typeof error === 'object' && error !== null && 'message' in error;
  const stack = whole && typeof error.stack === 'string' ? error.stack : `Uncaught ${util.inspect(error)}`;
  const lines = stack.split('\n');
  const own = lines.findIndex((line) => /\(node:inspector:|\bholdfast-driver\b/u.test(line));
  return { name: whole ? String(error.name).slice(0, 500) : 'Error', message: (whole ? String(error.message) : util.inspect(error)).slice(0, 65_536), traceback: (own === -1 ? lines : lines.slice(0, own)).join('\n').slice(-65_536) };
}

function javascriptOf({ language, source }) {
  if (language !== 'typescript') return source;
  const { stripTypeScriptTypes } = require('node:module');
  if (stripTypeScriptTypes === undefined) throw new Error(`TypeScript needs Node 22.13 or newer in the box, and this is ${process.version}`);
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (error.code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
    return stripTypeScriptTypes(source, { mode: 'transform' });
  }
}

async function run(request) {
  const end = { kind: 'end' };
  current = { nonce: request.nonce, room: mostOfARun, leftOut: 0, results: 0, shown: [] };
  try {
    if (early === request.nonce) throw new Interrupted('interrupted');
    const { result, exceptionDetails } = await evaluate(`${withoutImports(javascriptOf(request))}\n//# sourceURL=${request.name}`);
    const thrown = exceptionDetails === undefined ? undefined : (exceptionDetails.exception ?? { value: new Error(exceptionDetails.text) });
    await Promise.all(current.shown);
    if (thrown !== undefined) end.error = errorOf(await valueOf(thrown));
    else if (result.type !== 'undefined') await show('value', await valueOf(result), current);
  } catch (error) {
    end.error = errorOf(error);
  }
  interrupt = () => undefined;
  await post('Runtime.releaseObjectGroup', { objectGroup: 'run' }).catch(() => undefined);
  await Promise.all(flushed.map((flush) => new Promise((resolve) => flush('', resolve))));
  if (current.leftOut > 0) end.leftOut = current.leftOut;
  write(1, Buffer.from(`\0${request.nonce}.`));
  send(current, end);
}

let queue = Promise.resolve();
let input = Buffer.alloc(0);
stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  while (input.length >= 4 && input.length >= 4 + input.readUInt32LE(0)) {
    const size = input.readUInt32LE(0);
    const request = JSON.parse(input.subarray(4, 4 + size).toString());
    input = input.subarray(4 + size);
    if (request.interrupt === undefined) queue = queue.then(() => run(request));
    else if (request.interrupt === current.nonce) interrupt();
    else early = request.interrupt;
  }
});
stdin.on('end', () => process.exit(0));
