/**
 * What is known of GNU coreutils and of the few neighbours that everybody takes for them. Data and pure refinements
 * only. Options that nobody here is sure about are left out: they are asked about.
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
