import type { TrustStatus } from '../../trust/types.ts';

/** One file, with what is to be said of it. */
export interface TrustRow extends TrustStatus {
  /** Where a rule of the policy settles it. */
  readonly rule?: {
    readonly says: 'approved' | 'refused';
    readonly name: string;
    readonly file: string;
    readonly line: number;
  };
  /** Whose signature it has, of those that count here; nobody needs to be asked about it. */
  readonly signer?: string;
}

/** Whether boxes have the file as it is. */
export function isApproved({ state, rule }: TrustRow): boolean {
  return rule === undefined ? state === 'approved' : rule.says === 'approved';
}

/**
 * Whether a person may approve it: what nobody could read has no bytes to approve, and a rule that denies stands above.
 */
export function isApprovable({ found, rule }: TrustRow): boolean {
  return found !== undefined && found.sha256 !== '' && rule === undefined;
}
