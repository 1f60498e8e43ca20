import { Document, isScalar, visit } from 'yaml';
import type { KubernetesObject } from './types.ts';

/**
 * One document for each object, which YAML 1.1 (`kubectl`) and YAML 1.2 read alike. In 1.1, `no` is a boolean and
 * `1:20` a number. In 1.2, `0o7` is a number. So texts that begin like a number are quoted.
 */
export function manifestsYaml(manifests: readonly KubernetesObject[]): string {
  return manifests.map((manifest) => `---\n${yamlOf(manifest)}`).join('');
}

function yamlOf(manifest: KubernetesObject): string {
  const document = new Document(manifest, { version: '1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (
        isScalar<unknown>(node) &&
        typeof node.value === 'string' &&
        /^[\d.+-]/u.test(node.value) &&
        !node.value.includes('\n')
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).replace(/^%YAML 1\.1\n---\n/u, '');
}
