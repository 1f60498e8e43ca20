import type { Delta, EventReading } from '../../types.ts';
import { valueAt } from './read-leaves.ts';

/** Joins the pieces of channels, as an editor of streams does. Omits channels that are complete repetitions. */
export function gather(
  readings: readonly { readonly reading: EventReading; readonly event: unknown }[],
  kind: Delta['kind'],
): string {
  return readings
    .flatMap(({ reading, event }) =>
      reading.deltas
        .filter((delta) => delta.kind === kind && !isRepeated(delta))
        .map((delta) => valueAt(event, delta.path)),
    )
    .join('');
}

function isRepeated({ channel }: Delta): boolean {
  return channel.endsWith('.whole');
}
