import { builtinFile, type Origin } from '../origin.ts';
import { credentialStores, ownPlaces } from '../builtin/credential-stores.ts';
import type { BuiltinName } from '../builtin/builtin-name.ts';
import type { DefaultGrant } from '../builtin/default-grant.ts';
import { defaultWrites, ephemeralPlaces } from '../builtin/defaults.ts';
import { homeReads } from '../builtin/home-reads.ts';
import { passedVariables } from '../builtin/passed-variables.ts';
import { hiddenFileNames, hiddenPlaces } from '../builtin/hidden.ts';
import { protectedNames } from '../builtin/protected.ts';
import { policyFileNames } from '../builtin/policy-file-names.ts';
import { shadowedPrograms } from '../builtin/shadowed-programs.ts';
import type { LayerKind, VerdictCode } from '../verdict.ts';
import { lazily } from '../lazily.ts';
import { registryKeys } from '../builtin/registry-keys.ts';
import type { Atom, ListName, NameAtom } from './source.ts';

/** Default grants of every user, by list. */
export const defaultLists: Readonly<Partial<Record<ListName, readonly Atom[]>>> = {
  'files.read': grantAtoms('files.read', homeReads),
  'files.write': grantAtoms('files.write', defaultWrites),
  'files.ephemeral': grantAtoms('files.ephemeral', ephemeralPlaces),
  'environment.pass': passedVariables.map((text) => ({
    text,
    origin: builtinOrigin(`environment.pass:${text}`, 'user'),
  })),
};

/** Returns names that are protected or hidden until released. */
export function nameAtoms(layer: LayerKind): readonly NameAtom[] {
  return [...hiddenFileNames, ...protectedNames, ...shadowedPrograms].map((name) => nameAtom(name, layer));
}

export function policyFileAtoms(): readonly NameAtom[] {
  return policyFileNames.map((name) => nameAtom(name, 'required'));
}

export function hiddenPlaceAtoms(layer: LayerKind): readonly Atom[] {
  return hiddenPlaces.map(({ pattern, reason }) => placeAtom(pattern, { reason, code: 'hidden-file', layer }));
}

/**
 * Keys of the Windows registry that let programs persist, gain privileges or blind monitoring. Denied until released.
 */
export const registryKeyAtoms: () => readonly Atom[] = lazily(() =>
  registryKeys.map(({ key, reason, techniques }) => ({
    text: key,
    reason: `${reason}; ${techniques.join(', ')}`,
    code: 'protected-path',
    origin: builtinOrigin(`registry:${key}`, 'user'),
  })),
);

/** Returns denials that nothing can release: credentials, and Holdfast's own files including `own`. */
export function requiredDenials(own: readonly string[], seconds: readonly string[]): readonly Atom[] {
  return [
    ...credentialStores.map(({ pattern, reason }) =>
      placeAtom(pattern, { reason, code: 'credential-store', layer: 'required' }),
    ),
    ...ownPlaces.map(({ pattern, reason }) => placeAtom(pattern, { reason, code: 'policy-file', layer: 'required' })),
    ...own.map((pattern) =>
      placeAtom(pattern, { reason: "Holdfast's own files", code: 'policy-file', layer: 'required' }),
    ),
    ...seconds.map((pattern) =>
      placeAtom(pattern, { reason: 'a bind mount shows a hidden file there', code: 'hidden-file', layer: 'required' }),
    ),
  ];
}

/**
 * Policy files stay readable, so that an agent can see the rules. A box that could write them would not be restricted
 * by them.
 */
export function requiredProtections(policyFiles: readonly string[], seconds: readonly string[]): readonly Atom[] {
  return [
    ...policyFiles.map((pattern) =>
      placeAtom(pattern, { reason: 'it is a policy in force', code: 'policy-file', layer: 'required' }),
    ),
    ...seconds.map((pattern) =>
      placeAtom(pattern, {
        reason: 'a bind mount shows a protected path there',
        code: 'protected-path',
        layer: 'required',
      }),
    ),
  ];
}

function nameAtom(name: BuiltinName, layer: LayerKind): NameAtom {
  const prefix = name.effect === 'hidden' ? 'hidden' : 'protected';
  return { name, origin: builtinOrigin(`${prefix}:${name.components.join('/')}`, layer) };
}

function placeAtom(
  text: string,
  parts: { readonly reason: string; readonly code: VerdictCode; readonly layer: LayerKind },
): Atom {
  const { reason, code, layer } = parts;
  return { text, origin: builtinOrigin(`${code}:${text}`, layer), reason, code };
}

function grantAtoms(list: ListName, grants: readonly DefaultGrant[]): readonly Atom[] {
  return grants.map(({ pattern, reason }) => ({
    text: pattern,
    origin: builtinOrigin(`${list}:${pattern}`, 'user'),
    reason,
  }));
}

export function builtinOrigin(rule: string, layer: LayerKind): Origin {
  return { rule, layer, file: builtinFile, line: 0 };
}
