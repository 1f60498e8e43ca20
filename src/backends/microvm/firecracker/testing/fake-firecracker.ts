/**
 * Replaces Firecracker, by its published API. It accepts requests only in the same states, with the same fields and no
 * others, and answers errors in the same form. Started as `node fake-firecracker.ts LOG --api-sock SOCKET`. Writes each
 * request to LOG.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import process from 'node:process';

interface Rule {
  readonly states: readonly State[];
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly act?: (body: Body) => string | undefined;
}

type State = 'Not started' | 'Running' | 'Paused';
type Body = Readonly<Record<string, unknown>>;

const [log = '', flag, socket] = process.argv.slice(2);
if (flag !== '--api-sock' || socket === undefined || existsSync(socket)) throw new Error('arguments');
let state: State = 'Not started';
const configured = new Map<string, Body>();

const rules: Readonly<Record<string, Rule>> = {
  'PUT /machine-config': {
    states: ['Not started'],
    required: ['vcpu_count', 'mem_size_mib'],
    optional: ['smt', 'track_dirty_pages'],
  },
  'PUT /boot-source': {
    states: ['Not started'],
    required: ['kernel_image_path'],
    optional: ['initrd_path', 'boot_args'],
    act: ({ kernel_image_path }) =>
      existsSync(String(kernel_image_path))
        ? undefined
        : 'The kernel file cannot be opened: No such file or directory (os error 2)',
  },
  'PUT /drives': {
    states: ['Not started'],
    required: ['drive_id', 'path_on_host', 'is_root_device'],
    optional: ['is_read_only'],
  },
  'PUT /vsock': { states: ['Not started'], required: ['guest_cid', 'uds_path'], optional: [] },
  'PUT /actions': {
    states: ['Not started'],
    required: ['action_type'],
    optional: [],
    act: ({ action_type }) =>
      action_type === 'InstanceStart' && configured.has('PUT /boot-source')
        ? run(configured.get('PUT /vsock')?.['uds_path'])
        : 'Cannot start microvm without kernel configuration.',
  },
  'PATCH /vm': {
    states: ['Running', 'Paused'],
    required: ['state'],
    optional: [],
    act: (body) => become(body['state'] === 'Paused' ? 'Paused' : 'Running'),
  },
  'PUT /snapshot/create': {
    states: ['Paused'],
    required: ['snapshot_path', 'mem_file_path'],
    optional: ['snapshot_type'],
    act: ({ snapshot_path, mem_file_path }) => write(String(snapshot_path), String(mem_file_path)),
  },
  'PUT /snapshot/load': {
    states: ['Not started'],
    required: ['snapshot_path', 'mem_backend'],
    optional: ['resume_vm'],
    act: ({ snapshot_path }) =>
      configured.size > 0
        ? 'Loading a microVM snapshot not allowed after configuring boot-specific resources.'
        : existsSync(String(snapshot_path))
          ? run(undefined)
          : 'Cannot open the snapshot file: No such file or directory (os error 2)',
  },
};

createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk: Buffer) => {
      text += chunk.toString();
    })
    .on('end', () => answer(`${request.method} ${request.url?.replace(/^(\/drives)\/\w+$/u, '$1')}`, text, response));
}).listen(socket);

function answer(name: string, text: string, response: ServerResponse): void {
  appendFileSync(log, `${name} ${text}\n`);
  const fault = faultOf(name, text);
  response.writeHead(fault === undefined ? 204 : 400, { 'content-type': 'application/json' });
  response.end(fault === undefined ? undefined : JSON.stringify({ fault_message: fault }));
}

function faultOf(name: string, text: string): string | undefined {
  const rule = rules[name];
  if (rule === undefined) return 'Invalid request method and/or path.';
  const body = JSON.parse(text) as Body;
  const unknown = Object.keys(body).find((key) => !rule.required.includes(key) && !rule.optional.includes(key));
  const missing = rule.required.find((key) => !(key in body));
  if (unknown !== undefined) return `unknown field \`${unknown}\``;
  if (missing !== undefined) return `missing field \`${missing}\``;
  if (!rule.states.includes(state))
    return state === 'Not started'
      ? 'The requested operation is not supported before starting the microVM.'
      : 'The requested operation is not supported after starting the microVM.';
  const fault = rule.act?.(body);
  if (fault === undefined) configured.set(name, body);
  return fault;
}

function become(next: State): undefined {
  state = next;
}

function write(...paths: readonly string[]): string | undefined {
  try {
    for (const path of paths) writeFileSync(path, 'snapshot', { flag: 'wx' });
    return undefined;
  } catch {
    return 'Cannot create the snapshot file';
  }
}

/** Its guest listens on port 52 and returns each message. On port 53, it greets first. */
function run(path: unknown): undefined {
  become('Running');
  if (typeof path !== 'string') return;
  createSocketServer((connection) => {
    connection
      .once('data', (line: Buffer) => {
        const port = /^CONNECT (\d+)\n$/u.exec(line.toString())?.[1];
        if (port === '52') connection.write('OK 1073741824\n');
        if (port === '53') connection.write('OK 1073741825\nhello');
        if (port === '54') connection.write('x'.repeat(100));
        if (port === '52' || port === '53') connection.pipe(connection);
        else if (port !== '54') connection.destroy();
      })
      .on('error', () => undefined);
  }).listen(path);
}
