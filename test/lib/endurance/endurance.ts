import type { Stretch } from './figures.ts';
import { onFullDisks, throughResident, throughServe } from './stretches.ts';

/** The number of commands, divided among all ways and troubles in turn. Each part is yielded when it ends. */
export async function* endurance(commands: number): AsyncGenerator<Stretch> {
  const share = (part: number) => Math.max(20, Math.round(commands * part));
  yield await throughServe(share(0.6));
  yield await throughResident(share(0.27), 'none');
  yield await throughResident(share(0.05), 'kills');
  yield await throughResident(share(0.07), 'clocks');
  yield await onFullDisks(share(0.01));
}

/** The allowed growth of a supervisor from a fifth of the run to its end. */
const growth = { factor: 1.1, megabytes: 10 };

/** The findings of an endurance run, a line each. Runs may fail only by killed supervisors and full disks. */
export function failings(stretches: readonly Stretch[]): readonly string[] {
  return stretches.flatMap(({ part, failed, wrong, said, memory, remains }) => {
    const [early, late] = memory ?? [0, 0];
    const disturbed = part.includes('kills') || part.includes('disks');
    return [
      ...(wrong === 0 ? [] : [`${part}: ${wrong} commands came to another end: ${said.join('; ')}`]),
      ...(disturbed || failed === 0 ? [] : [`${part}: ${failed} commands failed: ${said.join('; ')}`]),
      ...(late <= early * growth.factor + growth.megabytes ? [] : [`${part}: from ${early} MB to ${late} MB`]),
      ...remains.map((line) => `${part}: ${line}`),
    ];
  });
}
