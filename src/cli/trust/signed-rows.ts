import { signerOf } from '../../trust/signatures/verify-bundle.ts';
import { readSigners } from '../../trust/signatures/signers.ts';
import type { TrustPaths } from '../../trust/store/layout.ts';
import { isApprovable, isApproved, type TrustRow } from './select-rows.ts';

/** Has its own bundle, because it loads the packages of Sigstore. */
export function signedRows(rows: readonly TrustRow[], root: string, paths: TrustPaths): readonly TrustRow[] {
  const signers = readSigners(paths, root);
  return rows.map((row) => {
    const signer =
      row.found === undefined || isApproved(row) || !isApprovable(row) ? undefined : signerOf(root, row.found, signers);
    return signer === undefined ? row : { ...row, signer: signer.name };
  });
}
