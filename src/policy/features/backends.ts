import * as v from 'valibot';
import { guaranteeNames } from '../guarantees.ts';
import { minimumNames } from '../settings/levels.ts';
import type { Feature } from './feature.ts';

const backend = v.strictObject({
  use: v.optional(
    v.pipe(
      v.picklist(['auto', 'native', 'bubblewrap', 'landlock', 'gvisor', 'microvm', 'seatbelt', 'windows']),
      v.description('Who builds the box. A project may name none that holds less than what would be taken without it'),
    ),
  ),
  minimum: v.optional(
    v.pipe(
      v.picklist(minimumNames),
      v.description('What a box has to be at least: a level, or a backend for its level'),
    ),
  ),
});

export const backends = {
  name: 'backends',
  policy: {
    require: v.optional(
      v.strictObject({
        guarantees: v.optional(
          v.pipe(v.array(v.picklist(guaranteeNames)), v.description('What the backend must be able to enforce')),
        ),
      }),
    ),
    backend: v.optional(backend),
  },
  settings: { backend: 'backend.use', minimum: 'backend.minimum' },
  commands: [
    {
      name: 'plan',
      module: 'plan.ts',
      export: 'planCommand',
      summary: 'Print the sandbox that a command would get',
      section: 'policy',
    },
    {
      name: 'backends',
      module: 'backends.ts',
      export: 'backendsCommand',
      summary: 'Show which backends work on this machine',
      section: 'machine',
    },
    {
      name: 'doctor',
      module: 'doctor.ts',
      export: 'doctorCommand',
      summary: 'Check what this machine can enforce, and prove it',
      section: 'machine',
    },
    {
      name: 'microvm',
      module: 'microvm/index.ts',
      export: 'microvmCommand',
      summary: 'Build the kernel for microVMs',
      section: 'machine',
    },
  ],
} as const satisfies Feature;
