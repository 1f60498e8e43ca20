import type { Body, IncomingResponse } from '../../egress/index.ts';

/** Ends the exchange of an answer that nobody will read. */
export function giveUp({ body }: IncomingResponse): void {
  if (body !== undefined) void leave(body);
}

async function leave(body: Body): Promise<void> {
  try {
    for await (const _ of body) break;
  } catch {
    // It broke off by itself.
  }
}
