import type { Verdict } from '../../policy/index.ts';
import type { EgressRefusal } from '../types.ts';

/**
 * - `answered` — with an address or a name.
 * - `no-data` — the name is allowed, but has nothing of that type here.
 * - `refused` — by the policy, or by the vetting of its addresses.
 * - `explained` — refused, with an address where the refusal is explained.
 * - `no-such-name` — nothing that could have an address.
 * - `failed` — no answer could be found.
 * - `malformed` — not a question that we read.
 */
export type LookupOutcome = 'answered' | 'no-data' | 'refused' | 'explained' | 'no-such-name' | 'failed' | 'malformed';

/** One look-up as it stands in the journal. */
export interface LookupRecord {
  /** Printable: bytes that no host name has stand as `\ddd`. Empty when the message could not be read. */
  readonly name: string;
  /** `A`, `TXT`, `TYPE1234` …; empty when the message could not be read. */
  readonly type: string;
  readonly outcome: LookupOutcome;
  /** Absent where no policy was asked: `localhost`, reverse look-ups, what is no host name. */
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
}
