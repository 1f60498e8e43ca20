/**
 * The room for data loss prevention: finds keys, secrets and personal data in text, and changes JSON in place so that every other
 * byte stays. What stands for a value is made here too, and brought back.
 *
 * Pure, and total: any bytes go in. Rules are data, in folders with samples that must and must not be found. Who is asked, what a
 * policy says and where text goes may not enter.
 */
export type * from './types.ts';
export { createFakeMap, createFragmentRestorer, createRestorer, type FakeMapOptions, type KeyedHash } from './fakes/index.ts';
export { createJsonEditor, editJson, type EditedJsonText, editJsonText, insertJson, jsonKeys, type JsonEditing, type JsonEditor, type JsonFields, type JsonInsertion, type JsonReplacement, peekJson, replaceJson } from './json/index.ts';
export { createScanner, type ExactFinder, type ScannerOptions } from './scan/index.ts';
export { type CompiledPattern, compilePattern, defaultRules, type Lead, type Rule, type RulePackName, rulePacks, type Span } from './rules/index.ts';
