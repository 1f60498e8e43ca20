import type { Report } from './lib/report.ts';
import { microvm } from './lattice/microvm.ts';
import { latticeStart } from './lattice/start.ts';

/** Every backend that works here, beside its peers. */
export async function lattice(): Promise<Report> {
  const quick = await latticeStart();
  const slow = await microvm();
  return {
    title: 'lattice: the start of a command on every backend',
    parts: [...quick.parts, slow.title, ...slow.parts],
    budgets: [...quick.budgets, ...slow.budgets],
  };
}
