import { stringify } from 'yaml';
import type { Manifest } from './types.ts';

/**
 * One document for each. Texts are quoted by YAML 1.1, which `kubectl` reads: there `no` is a boolean and `1:20` a
 * number.
 */
export function manifestsYaml(manifests: readonly Manifest[]): string {
  return manifests
    .map((manifest) => `---\n${stringify(manifest, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`)
    .join('');
}
