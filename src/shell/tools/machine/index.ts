/** What is known of programs that ask the machine and the network about processes, programs and names. Data and pure refinements only. */
import type { ToolSpec } from '../types.ts';
import { dnsTools } from './dns.ts';
import { processTools } from './processes.ts';

export const machineTools: readonly ToolSpec[] = [...processTools, ...dnsTools];
