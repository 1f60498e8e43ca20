/** Guests behind one interface, whichever program runs them: Firecracker through its API, qemu through its monitor. */
export { firecrackerMachine } from './firecracker.ts';
export { bootRequests, restoreRequests, snapshotRequests, type ApiRequest } from './firecracker.ts';
export { qemuMachine, type QemuOptions } from './qemu-machine.ts';
export type { BlockDevice, MachineDescription, SnapshotFiles, VirtualMachine } from './vm-process.ts';
