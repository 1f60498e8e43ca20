/**
 * The room for data loss prevention: finds keys, secrets and personal data in text, and changes JSON in place so that
 * every other byte stays. What stands for a value is made here too, and brought back.
 *
 * Pure, and total: any bytes go in. Rules are data, in folders with samples that must and must not be found. Who is
 * asked, what a policy says and where text goes may not enter.
 */
export type * from './types.ts';
export { createFakeMap, type FakeMapOptions, type KeyedHash } from './fakes/fake-map.ts';
export { createFragmentRestorer } from './fakes/fragment-restorer.ts';
export { createRestorer } from './fakes/restorer.ts';
export {
  createJsonEditor,
  type EditedJsonText,
  editJson,
  editJsonText,
  type JsonEditing,
  type JsonEditor,
  type JsonFields,
} from './json/edit-json.ts';
export { insertJson, type JsonInsertion } from './json/insert-json.ts';
export { jsonKeys } from './json/reader.ts';
export { type JsonReplacement, replaceJson } from './json/replace-json.ts';
export { peekJson } from './json/peek-json.ts';
export { createScanner, type ExactFinder, type ScannerOptions } from './scan/scanner.ts';
export {
  type CompiledPattern,
  compilePattern,
  defaultRules,
  type RuleLead,
  type SecretRule,
  type RulePackName,
  rulePacks,
  type MatchSpan,
} from './rules/index.ts';
