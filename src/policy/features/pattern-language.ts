/** The language of a text in a policy. `src/policy/document/parse.ts` has the parser of each. */
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
