import {
  bubblewrapBackend,
  gvisorBackend,
  landlockBackend,
  microvmBackend,
  nativeBackend,
  type Backend,
  type BackendName,
} from '../backends/index.ts';

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
