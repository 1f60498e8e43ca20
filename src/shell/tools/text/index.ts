/**
 * Programs that search, edit, compare and show text. Data and pure refinements only. Scripts of other languages are
 * described only if they are trivial.
 */
import type { ToolSpec } from '../types.ts';
import { awk } from './awk.ts';
import { binaryTools } from './binaries.ts';
import { checkerTools } from './checkers.ts';
import { compareTools } from './compare.ts';
import { documentTools } from './documents.ts';
import { grepTools } from './grep.ts';
import { inspectTools } from './inspect.ts';
import { moreTextTools } from './more-text.ts';
import { plainCheckers } from './plain-checkers.ts';
import { queryTools } from './query.ts';
import { sed } from './sed.ts';
import { selectors } from './selectors.ts';
import { shownFormats } from './shown-formats.ts';
import { viewTools } from './view.ts';

export const textTools: readonly ToolSpec[] = [
  ...grepTools,
  sed,
  awk,
  ...compareTools,
  ...viewTools,
  ...queryTools,
  ...inspectTools,
  ...binaryTools,
  ...checkerTools,
  ...documentTools,
  ...moreTextTools,
  ...plainCheckers,
  ...selectors,
  ...shownFormats,
];
