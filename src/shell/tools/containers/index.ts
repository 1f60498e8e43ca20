/** What is known of programs that run containers, clusters and clouds. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { clusterTools } from './cluster.ts';
import { dockerTools } from './docker.ts';

export const containersTools: readonly ToolSpec[] = [...dockerTools, ...clusterTools];
