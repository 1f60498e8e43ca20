import type { Backend, BackendName } from '../backends/backend.ts';
// Not imported through the index: other backends are loaded only if a plan uses one.
import { nativeBackend } from '../backends/native/native.ts';
import { templatePlan, type PlacePlan } from './place-plan.ts';

/**
 * Directories and files that boxes of a plan can write to: the workspace, and grants of the command line and of every
 * policy. Holdfast never starts or reads a file there on the host, because a box could choose it.
 */
export function writablePlaces(plan: Pick<PlacePlan, 'template' | 'names'>): readonly string[] {
  return templatePlan(plan).mounts.flatMap((mount) =>
    mount.kind === 'overlay' || (mount.kind === 'bind' && mount.access === 'read-write') ? [mount.target] : [],
  );
}

/** The backend of a plan. */
export async function sessionBackend(name: BackendName): Promise<Backend> {
  return name === 'native' ? nativeBackend : (await import('./other-backends.ts')).backendNamed(name);
}
