import { bubblewrapBackend, nativeBackend, type Backend, type BackendName } from '../backends/index.ts';

const backends: Readonly<Record<BackendName, Backend>> = { native: nativeBackend, bubblewrap: bubblewrapBackend };

export function backendNamed(name: BackendName): Backend {
  return backends[name];
}
