import type { Rcode } from './constants.ts';
import { rcodes } from './constants.ts';
import { type AnswerRecord, addressRecord } from './encode-reply.ts';
import type { LookupRecord } from './lookup-record.ts';

/** What a question is answered with, and what the journal says about it. */
export interface Finding extends Omit<LookupRecord, 'name' | 'type'> {
  readonly rcode: Rcode;
  readonly answers: readonly AnswerRecord[];
}

export const noData: Finding = { outcome: 'no-data', rcode: rcodes.NOERROR, answers: [] };
export const noSuchName: Finding = { outcome: 'no-such-name', rcode: rcodes.NXDOMAIN, answers: [] };
export const failed: Finding = { outcome: 'failed', rcode: rcodes.SERVFAIL, answers: [] };
export const refused: Finding = { outcome: 'refused', rcode: rcodes.NXDOMAIN, answers: [] };

/** Those of the addresses that have the type asked for. */
export function given(addresses: readonly string[], type: number): Finding {
  return answered(addresses.flatMap((address) => addressRecord(address) ?? []).filter((record) => record.type === type));
}

export function answered(answers: readonly AnswerRecord[]): Finding {
  return answers.length === 0 ? noData : { outcome: 'answered', rcode: rcodes.NOERROR, answers };
}
