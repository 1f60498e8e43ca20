import type { Backend, BackendName } from '../backends/index.ts';
// Not through the index: the others are loaded where a plan is for one of them.
import { nativeBackend } from '../backends/native/index.ts';

/** The backend of a plan. */
export async function sessionBackend(name: BackendName): Promise<Backend> {
  return name === 'native' ? nativeBackend : (await import('./other-backends.ts')).backendNamed(name);
}
