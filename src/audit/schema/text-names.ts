import type { BoundaryName, FindingKind } from '../../text/index.ts';

/** Spelled out, so that the compiler tells when one is missing here. */
export const findingKinds = ['invisible', 'bidi', 'tag', 'variation-selector', 'filler', 'annotation', 'separator', 'control', 'noncharacter', 'surrogate', 'escape-sequence', 'outbound', 'mixed-script', 'confusable'] as const satisfies readonly FindingKind[];

export const textBoundaries = ['file-name', 'branch-name', 'file-content', 'search-result', 'command-output', 'terminal-output', 'page', 'tool-description', 'tool-result', 'commit-text', 'report', 'approval-prompt', 'command', 'policy-file', 'memory'] as const satisfies readonly BoundaryName[];
