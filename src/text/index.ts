/**
 * The text room: text for models and people. Every text that a box, a repository or the network chose passes here
 * before it is shown, stored or approved. Invisible characters are revealed or refused, escape sequences end here, and
 * links that would carry data away are defused. Paths are written so that no two look the same.
 *
 * Pure, and total: any string goes in, lone surrogates included. Tables come from the Unicode data of one pinned
 * version, never from the running Node. Streams, files and terminals may not enter.
 */
export type { FilteredText, FilterOptions, FindingKind, TextFinding, TextForm, TextMode } from './types.ts';
export { present } from './present.ts';
export { boundaries, type Boundary, type BoundaryName } from './present.ts';
export { csvLine } from './escape-hidden.ts';
export { describeFindings } from './describe-findings.ts';
export { escapeHidden } from './escape-hidden.ts';
export {
  checkForStorage,
  sanitizeForStorage,
  type StorageReason,
  type StorageResult,
} from './storage/sanitize-for-storage.ts';
export { escapePath } from './paths/escape-path.ts';
export { filterText } from './filter/filter-text.ts';
export { findHidden } from './filter/reject.ts';
export { instructionLikeness, type Likeness } from './likeness/instruction-likeness.ts';
export { unescapePath } from './paths/unescape-path.ts';
export {
  filterTerminal,
  type TerminalAudience,
  TerminalFilter,
  type TerminalFilterOptions,
} from './terminal/filter.ts';
export { OutputFilter, type OutputFilterOptions, type OutputReport } from './stream/output-filter.ts';
export { defuseOutbound } from './outbound/defuse.ts';
export type { OutboundOptions } from './outbound/safe-tag.ts';
export { OutboundStream, type OutboundStreamOptions } from './outbound/stream.ts';
