import type { ToolSpec } from '../types.ts';
import { environmentTools } from './environment.ts';
import { inputTools } from './input.ts';
import { placeTools } from './places.ts';
import { privilegeTools } from './privilege.ts';
import { schedulingTools } from './scheduling.ts';
import { shellTools } from './shells.ts';
import { textTools } from './texts.ts';
import { tracingTools } from './tracing.ts';

/**
 * Programs that run other programs: each says where in its words the other one stands. Nothing that is no wrapper may enter; a
 * wrapper whose words cannot be told apart says so and shows nothing.
 */
export const wrappersTools: readonly ToolSpec[] = [
  ...privilegeTools,
  ...schedulingTools,
  ...environmentTools,
  ...inputTools,
  ...tracingTools,
  ...placeTools,
  ...textTools,
  ...shellTools,
];
