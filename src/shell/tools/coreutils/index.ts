/**
 * GNU coreutils, and a few neighbours that everybody counts among them. Data and pure refinements only. Options without
 * certain knowledge are left out, so they are asked about.
 */
import type { ToolSpec } from '../types.ts';
import { changeTools } from './change.ts';
import { copyTools } from './copy.ts';
import { lineTools } from './lines.ts';
import { showTools } from './show.ts';
import { coreSystemTools } from './system.ts';

export const coreutilsTools: readonly ToolSpec[] = [
  ...copyTools,
  ...changeTools,
  ...showTools,
  ...lineTools,
  ...coreSystemTools,
];
