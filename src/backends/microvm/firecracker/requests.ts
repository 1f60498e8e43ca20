import { join } from 'node:path';
import type { MachineDescription, SnapshotFiles } from './virtual-machine.ts';

/** One request of Firecracker's API. Each is answered with 204 where it was carried out. */
export interface ApiRequest {
  readonly method: 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What boots a machine, in the order in which it has to be sent. */
export function bootRequests(description: MachineDescription): readonly ApiRequest[] {
  const { kernel, initramfs, kernelWords, memory, processors, drives, channels } = description;
  return [
    put('/machine-config', { vcpu_count: processors, mem_size_mib: memory }),
    put('/boot-source', { kernel_image_path: kernel, initrd_path: initramfs, boot_args: kernelWords }),
    ...drives.map(({ name, path, access }) =>
      put(`/drives/${name}`, {
        drive_id: name,
        path_on_host: path,
        is_root_device: false,
        is_read_only: access === 'read',
      }),
    ),
    ...(channels.length === 0 ? [] : [put('/vsock', { guest_cid: guestAddress, uds_path: vsockPath(description) })]),
    put('/actions', { action_type: 'InstanceStart' }),
  ];
}

/** A machine has to stand still while it is written. */
export function snapshotRequests({
  state,
  memory,
}: SnapshotFiles): Readonly<Record<'pause' | 'create' | 'resume', ApiRequest>> {
  return {
    pause: { method: 'PATCH', path: '/vm', body: { state: 'Paused' } },
    create: put('/snapshot/create', { snapshot_type: 'Full', snapshot_path: state, mem_file_path: memory }),
    resume: { method: 'PATCH', path: '/vm', body: { state: 'Resumed' } },
  };
}

/** The only request to a machine that is restored: devices and memory are in the snapshot. */
export function restoreRequests({ state, memory }: SnapshotFiles): readonly ApiRequest[] {
  return [
    put('/snapshot/load', {
      snapshot_path: state,
      mem_backend: { backend_type: 'File', backend_path: memory },
      resume_vm: true,
    }),
  ];
}

/** The socket that leads to the guest's ports. It is part of a snapshot. */
export function vsockPath({ directory }: Pick<MachineDescription, 'directory'>): string {
  return join(directory, 'vsock');
}

/** The first address that is not the host's. */
const guestAddress = 3;

function put(path: string, body: ApiRequest['body']): ApiRequest {
  return { method: 'PUT', path, body };
}
