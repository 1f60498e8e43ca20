import * as v from 'valibot';
import { guaranteeNames } from '../guarantees.ts';
import { minimumNames } from '../settings/levels.ts';
import type { Feature } from './feature.ts';

const backend = v.strictObject({
  use: v.optional(
    v.pipe(
      v.picklist(['auto', 'native', 'bubblewrap', 'landlock', 'gvisor', 'microvm', 'seatbelt', 'windows']),
      v.description('The backend that builds the box. A project may not name a weaker backend than the default choice'),
    ),
  ),
  minimum: v.optional(
    v.pipe(
      v.picklist(minimumNames),
      v.description('The minimum strength of a box: a level, or a backend for its level'),
    ),
  ),
});

export const backends = {
  name: 'backends',
  policy: {
    require: v.optional(
      v.strictObject({
        guarantees: v.optional(
          v.pipe(v.array(v.picklist(guaranteeNames)), v.description('Guarantees that the backend must enforce')),
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
      summary: 'Check and prove the guarantees of this machine',
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
