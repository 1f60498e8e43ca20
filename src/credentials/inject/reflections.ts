import { headerWords } from './request-parts.ts';
import type { Watch } from './watch.ts';

/** Tells of secrets that came back, once for each place of an answer however often they stand there. */
export interface Reflections {
  at(place: string): (credential: string) => void;
  inHeader(key: string): (credential: string) => void;
}

export function reflections({ context, connection: { destination } }: Watch): Reflections {
  const told = new Set<string>();
  const at: Reflections['at'] = (place) => (credential) => {
    const name = `${credential}\n${place}`;
    if (told.has(name)) return;
    told.add(name);
    context.alarm({ kind: 'secret-reflected', credential, destination, place });
  };
  return { at, inHeader: (key) => at(headerWords(key)) };
}
