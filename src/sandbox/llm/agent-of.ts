import { type OutgoingRequest, valueOf } from '../../egress/index.ts';

/** The program that asks, by the first product of its `user-agent`: `claude-cli`. What it says of itself, and no more. */
export function agentOf({ fields }: OutgoingRequest): string | undefined {
  return /^[\w.@/-]{1,60}?(?=\/[\d.]|[ ;(]|$)/u.exec(valueOf(fields, 'user-agent') ?? '')?.[0];
}
