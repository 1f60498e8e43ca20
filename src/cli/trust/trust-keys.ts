import { resolve } from 'node:path';
import { appendEvents, type TrustDecidedEvent } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { addSigner, readSigners, removeSigner } from '../../trust/signatures/signers.ts';
import { checkTrustedRoot, parsePublicKey, type TrustedSigner } from '../../trust/signatures/verify-bundle.ts';
import { revokeApprovals } from '../../trust/store/change-trust.ts';
import { type CommandInput, printResult, optionText } from '../command.ts';
import { readNamedFile } from './read-named-file.ts';
import type { WorkspacePlace } from './workspace-trust.ts';

/**
 * `holdfast trust keys add|list|remove`: signers whose signatures approve files of this workspace. Has its own bundle.
 */
export function trustKeysCommand(
  place: WorkspacePlace,
  input: CommandInput,
  [verb = '', name, ...files]: readonly string[],
): number {
  if (verb === 'list' && name === undefined) return listKeys(place, input);
  if (verb === 'add' && name !== undefined) return addKey(place, input, { name, files });
  if (verb === 'remove' && name !== undefined && files.length === 0) return removeKey(place, input, name);
  throw usage('expected add NAME FILE, list or remove NAME');
}

function listKeys({ root, paths }: WorkspacePlace, input: CommandInput): number {
  const signers = readSigners(paths, root);
  printResult(
    input,
    { workspace: root, signers },
    signers.length === 0
      ? 'No signers yet. Add one: holdfast trust keys add NAME FILE\n'
      : signers.map((signer) => `${signer.name}  ${describe(signer)}\n`).join(''),
  );
  return 0;
}

function describe(signer: TrustedSigner): string {
  return signer.kind === 'ed25519' ? `Ed25519 ${signer.key}` : `Sigstore ${signer.identity}, by ${signer.issuer}`;
}

interface Added {
  readonly name: string;
  readonly files: readonly string[];
}

function addKey({ root, paths }: WorkspacePlace, input: CommandInput, added: Added): number {
  const signer = signerFrom(input, root, added);
  addSigner(paths, signer, () =>
    appendEvents(paths.journal, [
      { type: 'trust.decided', workspace: root, action: 'approve', signer: signer.name, files: [] },
    ]),
  );
  printResult(
    input,
    { workspace: root, added: signer },
    `\`holdfast trust add\` approves files in ${root} that ${signer.name} signed without a question: ${describe(signer)}\n`,
  );
  return 0;
}

function signerFrom({ values, io }: CommandInput, workspace: string, { name, files }: Added): TrustedSigner {
  const [file, ...more] = files;
  const [identity, issuer, root] = [
    optionText(values['identity']),
    optionText(values['issuer']),
    optionText(values['trusted-root']),
  ];
  if (file !== undefined && more.length === 0 && identity === undefined && issuer === undefined && root === undefined) {
    return { name, workspace, kind: 'ed25519', ...parsePublicKey(readNamedFile(resolve(io.cwd, file))) };
  }
  if (file !== undefined || identity === undefined || issuer === undefined || root === undefined)
    throw usage('expected a file with a public key, or all of --identity, --issuer and --trusted-root');
  const trustedRoot = readNamedFile(resolve(io.cwd, root));
  checkTrustedRoot(trustedRoot);
  return { name, workspace, kind: 'sigstore', identity, issuer, trustedRoot };
}

/** Removes the approvals by this signer too, unless someone else also approved the file. */
function removeKey({ root, paths }: WorkspacePlace, input: CommandInput, name: string): number {
  const note = (files: TrustDecidedEvent['files']): void =>
    appendEvents(paths.journal, [{ type: 'trust.decided', workspace: root, action: 'revoke', signer: name, files }]);
  if (removeSigner(paths, { name, workspace: root }, () => note([])) === 'unknown')
    throw usage(`there is no trusted signer called ${JSON.stringify(name)}`);
  const gone = revokeApprovals(paths, {
    workspace: root,
    revoked: ({ signer }) => signer === name,
    journal: (entries) => note(entries.map(({ path, sha256, surface }) => ({ path, sha256, surface }))),
  });
  printResult(
    input,
    { workspace: root, removed: name, revoked: gone.map(({ path, sha256 }) => ({ path, sha256 })) },
    `signatures of ${name} no longer count; ${gone.length} approved by them ${gone.length === 1 ? 'was' : 'were'} revoked\n`,
  );
  return 0;
}

function usage(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see `holdfast trust --help`' });
}
