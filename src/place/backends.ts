import type { Backend, BackendName } from '../backends/backend.ts';
import { bubblewrapBackend } from '../backends/bubblewrap/bubblewrap.ts';
import { gvisorBackend } from '../backends/gvisor/gvisor.ts';
import { landlockBackend } from '../backends/landlock/landlock.ts';
import { microvmBackend } from '../backends/microvm/microvm.ts';
import { nativeBackend } from '../backends/native/native.ts';

const backends: Readonly<Record<BackendName, Backend>> = {
  native: nativeBackend,
  bubblewrap: bubblewrapBackend,
  landlock: landlockBackend,
  gvisor: gvisorBackend,
  microvm: microvmBackend,
};

export function backendNamed(name: BackendName): Backend {
  return backends[name];
}
