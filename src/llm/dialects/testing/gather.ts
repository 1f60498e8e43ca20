import type { Delta, EventReading } from '../../types.ts';
import { valueAt } from './read-leaves.ts';

/**
 * Puts the pieces of channels together, as anyone who changes a stream does. Channels that are whole repetitions are
 * left out.
 */
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
