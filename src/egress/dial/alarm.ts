/** Something that may happen while others are waited for. `clear` lets go of timers and listeners. */
export interface Alarm<Kind extends string> {
  readonly rings: Promise<{ readonly kind: Kind }>;
  clear(): void;
}

export function alarmAfter<Kind extends string>(kind: Kind, milliseconds: number): Alarm<Kind> {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: Kind }>();
  const timer = setTimeout(() => resolve({ kind }), milliseconds);
  return { rings: promise, clear: () => clearTimeout(timer) };
}

export function alarmOn<Kind extends string>(kind: Kind, signal: AbortSignal | undefined): Alarm<Kind> {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: Kind }>();
  const ring = (): void => resolve({ kind });
  if (signal?.aborted === true) ring();
  signal?.addEventListener('abort', ring);
  return { rings: promise, clear: () => signal?.removeEventListener('abort', ring) };
}
