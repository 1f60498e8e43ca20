import type { BuiltinName } from './builtin-name.ts';

/** Required, and not releasable: a box that can write its own policy is not restricted by it. */
export const policyFileNames: readonly BuiltinName[] = [
  {
    components: ['holdfast.toml'],
    effect: 'read-only',
    except: [],
    scope: 'anywhere',
    depth: 'beneath',
    kind: 'holdfast',
    reason: 'it is the policy of this project',
  },
  {
    components: ['.holdfast'],
    effect: 'read-only',
    except: [],
    scope: 'anywhere',
    depth: 'beneath',
    kind: 'holdfast',
    reason: "it belongs to Holdfast's own files",
  },
];
