import { HoldfastError } from '../../errors/index.ts';
import { placeFindings } from '../document/place-findings.ts';
import type { PolicyDocument } from '../document/types.ts';
import { hiddenPlaceAtoms, nameAtoms } from './builtin-atoms.ts';
import { compileSource } from './compile-source.ts';
import { type DocumentPlace, documentSource } from './document-source.ts';
import type { Layer } from './layer.ts';
import { userLayer } from './user.ts';

/** Compiles a document for its place in the order of layers. Throws `HF_POLICY_INVALID` for what that place may not say. */
export function compileLayer(document: PolicyDocument, place: DocumentPlace): Layer {
  const [finding] = placeFindings(document.value, place.kind);
  if (finding !== undefined) throw new HoldfastError('HF_POLICY_INVALID', `${document.file}: ${finding.message}`, { remedy: finding.remedy });
  if (place.kind === 'user') return userLayer(document, place);
  const id = JSON.stringify([place.kind, document.file, place.home, place.workspace, document.value, [...document.lines]]);
  const source = documentSource(document, place);
  // A list of releases is a ceiling too: whoever manages the machine says which protections a user may take out.
  const limitsReleases = place.kind === 'managed' && source.lists['files.release'] !== undefined;
  return compileSource(limitsReleases ? { ...source, names: nameAtoms('managed'), hiddenPlaces: hiddenPlaceAtoms('managed') } : source, id);
}
