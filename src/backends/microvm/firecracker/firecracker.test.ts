import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { TestDirectory } from '../build/testing/directory.ts';
import { firecrackerMachine } from './firecracker.ts';
import { qemuMachine } from './qemu-machine.ts';
import type { MachineDescription, VirtualMachine } from './vm-process.ts';

const fake = fileURLToPath(new URL('testing/fake-firecracker.ts', import.meta.url));

/** Ended after each test, also one that fails. */
const machines: VirtualMachine[] = [];
afterEach(async () => {
  await Promise.all(machines.splice(0).map((machine) => machine.kill()));
});

interface Made {
  readonly description: MachineDescription;
  readonly machine: VirtualMachine;
  readonly requests: () => readonly string[];
}

/** A machine whose program is `script`: by default one that answers as Firecracker does. */
function make(directory: string, change: Partial<MachineDescription> = {}, script?: string): Made {
  const [program, log] = [join(directory, 'program'), join(directory, 'log')];
  writeFileSync(
    program,
    `#!/bin/sh\necho $$ > ${join(directory, 'pid')}\n${script ?? `exec ${process.execPath} ${fake} ${log} "$@"`}\n`,
  );
  chmodSync(program, 0o755);
  const description: MachineDescription = {
    kernel: '/bin/sh',
    initramfs: '/initramfs',
    kernelWords: 'console=ttyS0',
    memory: 256,
    processors: 1,
    drives: [],
    channels: [52, 53, 54, 55],
    directory,
    ...change,
  };
  const machine = firecrackerMachine(program, description);
  machines.push(machine);
  return { description, machine, requests: () => readFileSync(log, 'utf8').trim().split('\n') };
}

function isRunning(directory: string): boolean {
  const stat = `/proc/${readFileSync(join(directory, 'pid'), 'utf8').trim()}/stat`;
  return existsSync(stat) && !/\) [ZX] /u.test(readFileSync(stat, 'utf8'));
}

test('boots with exactly these requests, and the end leaves nothing', async () => {
  using directory = new TestDirectory();
  const { machine, requests } = make(directory.path, { drives: [{ name: 'root', path: '/disk', access: 'read' }] });
  await machine.start();
  expect(requests()).toEqual([
    'PUT /machine-config {"vcpu_count":1,"mem_size_mib":256}',
    'PUT /boot-source {"kernel_image_path":"/bin/sh","initrd_path":"/initramfs","boot_args":"console=ttyS0"}',
    'PUT /drives {"drive_id":"root","path_on_host":"/disk","is_root_device":false,"is_read_only":true}',
    `PUT /vsock {"guest_cid":3,"uds_path":"${directory.path}/vsock"}`,
    'PUT /actions {"action_type":"InstanceStart"}',
  ]);
  await expect(machine.start()).rejects.toMatchObject({ code: 'HF_LAUNCHER_FAILED' });
  expect(isRunning(directory.path)).toBe(true);
  await machine.kill();
  await machine.kill();
  expect(isRunning(directory.path)).toBe(false);
  expect(readdirSync(directory.path).toSorted()).toEqual(['log', 'pid', 'program']);
});

test('a channel carries bytes both ways, and those that came with the answer', async () => {
  using directory = new TestDirectory();
  const { machine } = make(directory.path);
  await machine.start();
  const [echo, greeting] = await Promise.all([machine.openChannel(52), machine.openChannel(53)]);
  echo.write('ping');
  expect(String((await once(echo, 'data'))[0])).toBe('ping');
  expect(String((await once(greeting, 'data'))[0])).toBe('hello');
  await expect(machine.openChannel(54)).rejects.toThrow(/sent an invalid answer for port 54/u);
  await expect(machine.openChannel(55)).rejects.toThrow(/nothing listens on port 55/u);
  expect(() => machine.openChannel(80)).toThrow(/has no channel 80/u);
  echo.destroy();
  greeting.destroy();
  await machine.kill();
});

test('a snapshot is written while the guest is paused, and restored with one request', async () => {
  using directory = new TestDirectory();
  const files = { state: join(directory.path, 'state'), memory: join(directory.path, 'memory') };
  const first = make(directory.path);
  await first.machine.start();
  await first.machine.snapshot(files);
  await expect(first.machine.snapshot(files)).rejects.toThrow(
    /refuses PUT \/snapshot\/create with 400: Cannot create the snapshot file/u,
  );
  expect(
    first
      .requests()
      .slice(-3)
      .map((line) => line.split(' {')[0]),
  ).toEqual(['PATCH /vm', 'PUT /snapshot/create', 'PATCH /vm']);
  expect(first.requests().at(-1)).toContain('Resumed');
  await first.machine.kill();
  const second = make(directory.path);
  await second.machine.restore(files);
  expect(second.requests().at(-1)).toBe(
    `PUT /snapshot/load {"snapshot_path":"${files.state}","mem_backend":{"backend_type":"File","backend_path":"${files.memory}"},"resume_vm":true}`,
  );
  await second.machine.kill();
  const third = make(directory.path);
  await expect(third.machine.restore({ ...files, state: '/nowhere' })).rejects.toThrow(
    /Cannot open the snapshot file/u,
  );
  expect(isRunning(directory.path)).toBe(false);
});

describe('a broken program leaves nothing running', () => {
  test.each<readonly [string, string, RegExp]>([
    ['exits with 0', 'exit 0', /ended at once: it said nothing/u],
    ['says why it ends', 'echo no KVM here >&2; exit 1', /ended at once: no KVM here/u],
    [
      'answers with rubbish',
      `exec ${process.execPath} -e 'require("net").createServer((c) => c.end("rubbish\\r\\n\\r\\n")).listen(process.argv[2])' -- "$@"`,
      /cannot be asked PUT \/machine-config/u,
    ],
    [
      'answers 200',
      `exec ${process.execPath} -e 'require("http").createServer((q, s) => s.end("fine")).listen(process.argv[2])' -- "$@"`,
      /refuses PUT \/machine-config with 200: it does not say why/u,
    ],
    [
      'answers without an end',
      `exec ${process.execPath} -e 'require("http").createServer((q, s) => setInterval(() => s.write("x".repeat(9999)), 1)).listen(process.argv[2])' -- "$@"`,
      /its answer is too long/u,
    ],
    [
      'says terminal sequences',
      `exec ${process.execPath} -e 'require("http").createServer((q, s) => { s.statusCode = 400; s.end(JSON.stringify({ fault_message: "\\u001b]0;owned\\u0007" })); }).listen(process.argv[2])' -- "$@"`,
      /with 400: \?\]0;owned\?/u,
    ],
  ])('%s', async (_name, script, message) => {
    using directory = new TestDirectory();
    const { machine } = make(directory.path, {}, script);
    await expect(machine.start()).rejects.toThrow(message);
    expect(isRunning(directory.path)).toBe(false);
  });

  test('a kernel that it does not find is refused in its own words', async () => {
    using directory = new TestDirectory();
    const { machine } = make(directory.path, { kernel: '/nowhere' });
    await expect(machine.start()).rejects.toThrow(
      /refuses PUT \/boot-source with 400: The kernel file cannot be opened/u,
    );
    expect(isRunning(directory.path)).toBe(false);
  });

  test('a qemu that ends, or is not qemu', async () => {
    using directory = new TestDirectory();
    const { description } = make(directory.path);
    await expect(qemuMachine({ program: '/bin/true', accelerator: 'tcg' }, description).start()).rejects.toThrow(
      /ended at once/u,
    );
    await expect(qemuMachine({ program: '/nowhere', accelerator: 'tcg' }, description).start()).rejects.toThrow(
      /ended at once/u,
    );
  });
});

test.each<readonly [string, Partial<MachineDescription>]>([
  ['a memory of half a byte', { memory: 0.5 }],
  ['no memory', { memory: 0 }],
  ['no processor', { processors: 0 }],
  ['a port that none is', { channels: [0] }],
  ['a port twice', { channels: [1, 1] }],
  ['a drive whose name is a path', { drives: [{ name: '../x', path: '/disk', access: 'read' }] }],
  ['a path with an option of qemu in it', { drives: [{ name: 'x', path: '/disk,readonly=off', access: 'read' }] }],
  ['a relative path', { kernel: 'kernel' }],
  ['a directory that is too long for a socket', { directory: `/${'x'.repeat(90)}` }],
])('no machine has %s', (_name, change) => {
  using directory = new TestDirectory();
  const { description } = make(directory.path);
  const wrong = { ...description, ...change };
  expect(() => firecrackerMachine('/program', wrong)).toThrow(/the description of the machine is invalid/u);
  expect(() => qemuMachine({ program: '/program', accelerator: 'tcg' }, wrong)).toThrow(
    /the description of the machine is invalid/u,
  );
});
