/** What a text of a policy is written in. `src/policy/document/pattern-findings.ts` has the parser of each. */
export type PatternLanguage =
  | 'path'
  | 'host'
  | 'host without port'
  | 'port'
  | 'forward'
  | 'authority file'
  | 'socket'
  | 'command'
  | 'variable'
  | 'wildcard'
  | 'registry key'
  | 'signal';
