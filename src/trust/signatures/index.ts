/**
 * Signatures: whose word counts for the files of a workspace, and whether a file has it. Keys lie in the user's state and
 * never in a policy or a repository; a signature approves exactly the bytes that it is over.
 *
 * Loaded only where somebody trusts a signer: with it come the packages of Sigstore. Nothing is asked over a network.
 */
export { parsePublicKey } from './public-key.ts';
export { signerOf } from './signer-of.ts';
export { addSigner, readSigners, removeSigner } from './signers.ts';
export type { TrustedSigner } from './types.ts';
export { checkTrustedRoot } from './verify-bundle.ts';
