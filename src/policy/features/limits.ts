import * as v from 'valibot';
import { quantities } from '../document/quantity-schema.ts';
import type { Feature } from './feature.ts';

/** Limits of the box itself. Each feature has the limits on its own storage. */
export const limits = {
  name: 'limits',
  limits: {
    memory: { entry: v.optional(quantities.share), quantity: 'amount' },
    processes: { entry: v.optional(quantities.count), quantity: 'number' },
    cpus: { entry: v.optional(quantities.cores), quantity: 'number' },
    cpu_time: { entry: v.optional(quantities.duration), quantity: 'duration' },
    file_size: { entry: v.optional(quantities.size), quantity: 'bytes', of: 'a file size' },
    open_files: { entry: v.optional(quantities.count), quantity: 'number' },
    tmp: { entry: v.optional(quantities.share), quantity: 'amount' },
  },
} as const satisfies Feature;
