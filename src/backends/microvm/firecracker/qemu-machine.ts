import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Accelerator } from '../machine.ts';
import { openQmp, type Qmp } from './qmp.ts';
import {
  checkDescription,
  type MachineDescription,
  machineError,
  type SnapshotFiles,
  startVmProcess,
  type VirtualMachine,
} from './vm-process.ts';

export interface QemuOptions {
  /** Absolute path of qemu. */
  readonly program: string;
  readonly accelerator: Accelerator;
}

/** Milliseconds. */
const startPatience = 20_000;

/**
 * Returns a machine that qemu runs. A snapshot is one file, `state`. It is sent through a socket, so qemu gets no shell
 * command and no path.
 */
export function qemuMachine({ program, accelerator }: QemuOptions, description: MachineDescription): VirtualMachine {
  checkDescription(description);
  const paths = {
    monitor: join(description.directory, 'monitor'),
    migration: join(description.directory, 'migration'),
  };
  const sockets = [...Object.values(paths), ...description.channels.map((port) => channelPath(description, port))];
  let process: ReturnType<typeof startVmProcess> | undefined;
  let monitor: Qmp | undefined;
  const begin = async (words: readonly string[]): Promise<Qmp> => {
    if (process !== undefined) throw machineError('this machine was already started');
    for (const path of sockets) rmSync(path, { force: true });
    process = startVmProcess(program, [...qemuArguments(accelerator, description, paths.monitor), ...words]);
    monitor = await openQmp(await process.connect(paths.monitor, startPatience));
    return monitor;
  };
  const kill = async (): Promise<void> => {
    monitor?.close();
    await process?.kill();
    for (const path of sockets) rmSync(path, { force: true });
  };
  const orKill = async (use: () => Promise<void>): Promise<void> =>
    use().catch(async (error: unknown) => {
      await kill();
      throw error;
    });
  return {
    kill,
    start: () => orKill(async () => void (await (await begin(['-S'])).command('cont'))),
    restore: (from) => orKill(async () => load(await begin(['-incoming', 'defer', '-S']), paths.migration, from)),
    async snapshot(to) {
      if (monitor === undefined) throw machineError('this machine was not started');
      await save(monitor, paths.migration, to);
    },
    async openChannel(port) {
      if (process === undefined || !description.channels.includes(port))
        throw machineError(`the machine has no channel ${port}`);
      return process.connect(channelPath(description, port), startPatience);
    },
  };
}

function channelPath({ directory }: MachineDescription, port: number): string {
  return join(directory, `port-${port}`);
}

async function save(monitor: Qmp, socket: string, { state }: SnapshotFiles): Promise<void> {
  await monitor.command('stop');
  try {
    let failure: unknown;
    const writing = await receive(socket, (connection) => writeNew(connection, state));
    writing.done.catch((error: unknown) => {
      failure = error;
    });
    await monitor.command('migrate', { uri: `unix:${socket}` });
    await settled(monitor).catch((error: unknown) => {
      writing.close();
      throw failure ?? error;
    });
    await writing.done;
  } finally {
    await monitor.command('cont');
  }
}

/** Leaves no partial snapshot behind, and does not touch an existing file. */
async function writeNew(connection: Socket, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(connection, file);
  } catch (cause) {
    if (file.pending === false) rmSync(path, { force: true });
    throw machineError('the snapshot cannot be written', cause);
  }
}

async function load(monitor: Qmp, socket: string, { state }: SnapshotFiles): Promise<void> {
  const source = createReadStream(state);
  await new Promise((resolve, reject) => {
    source.once('open', resolve).once('error', (cause) => reject(machineError('the snapshot cannot be read', cause)));
  });
  await monitor.command('migrate-incoming', { uri: `unix:${socket}` });
  try {
    // Qemu closes its end as soon as it has read enough, perhaps before the end of the file. So only qemu's own status
    // counts.
    const cut = await pipeline(source, await connectTo(socket)).then(
      () => undefined,
      (error: unknown) => error,
    );
    await settled(monitor).catch((error: unknown) => {
      throw cut ?? error;
    });
  } catch (cause) {
    throw machineError('qemu rejects the snapshot: it is damaged, or belongs to another machine', cause);
  }
  await monitor.command('cont');
}

/** Waits until qemu has written or read everything. */
async function settled(monitor: Qmp): Promise<void> {
  for (;;) {
    const answer = await monitor.command('query-migrate');
    const status = typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
    if (status === 'completed') return;
    if (status === 'failed' || status === 'cancelled') throw machineError('qemu could not write or read the snapshot');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

interface Receiving {
  /** Resolves once the single connection has been read to its end. */
  readonly done: Promise<void>;
  readonly close: () => void;
}

/** Listens on a new socket for one connection. */
async function receive(path: string, use: (connection: Socket) => Promise<void>): Promise<Receiving> {
  rmSync(path, { force: true });
  const server = createServer();
  const done = new Promise<void>((resolve, reject) => {
    server.once('connection', (connection) => {
      server.close();
      use(connection).then(resolve, reject);
    });
    server.once('error', reject);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  return { done, close: () => server.close() };
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return socket;
}

function qemuArguments(accelerator: Accelerator, description: MachineDescription, monitor: string): readonly string[] {
  const { kernel, initramfs, kernelWords, memory, processors, drives, channels } = description;
  const machine = [
    '-M',
    'microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on',
    '-global',
    'virtio-mmio.force-legacy=false',
  ];
  const processor = [
    '-accel',
    accelerator,
    '-cpu',
    accelerator === 'kvm' ? 'host' : 'max',
    '-m',
    `${memory}M`,
    '-smp',
    String(processors),
  ];
  const start = ['-kernel', kernel, '-initrd', initramfs, '-append', kernelWords];
  const devices = [
    ...drives.flatMap(({ name, path, access }) => [
      '-drive',
      `id=${name},file=${path},format=raw,if=none,readonly=${access === 'read' ? 'on' : 'off'}`,
      '-device',
      `virtio-blk-device,drive=${name}`,
    ]),
    ...channels.flatMap((port, index) => [
      '-chardev',
      `socket,id=channel${index},path=${channelPath(description, port)},server=on,wait=off`,
      '-device',
      `virtserialport,chardev=channel${index},nr=${index + 1},name=port-${port}`,
    ]),
  ];
  return [
    '-nodefaults',
    '-no-user-config',
    '-no-reboot',
    '-display',
    'none',
    '-serial',
    'null',
    ...machine,
    ...processor,
    ...start,
    '-qmp',
    `unix:${monitor},server=on,wait=off`,
    '-device',
    'virtio-serial-device',
    ...devices,
  ];
}
