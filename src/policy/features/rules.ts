import * as v from 'valibot';
import { loadedFromOutside } from '../document/entry-findings.ts';
import { execFindings } from '../document/exec-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { ruleEntries } from '../document/rule-schema.ts';
import type { LayerKind } from '../verdict.ts';
import { setsVariables } from './environment.ts';
import { event, inSession, judged, sha256Part, textPart, textsPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { notOfProjects } from './said-by.ts';

/** Rules for every kind of request. */
export const rules = {
  name: 'rules',
  policy: ruleEntries,
  patterns: {
    'file.paths': 'path',
    'trust.paths': 'path',
    'connect.hosts': 'host',
    'http.hosts': 'host',
    'connect.ports': 'port',
    'http.ports': 'port',
    'http.paths': 'wildcard',
    'http.methods': 'wildcard',
    'dns.names': 'host without port',
    'dns.types': 'wildcard',
    'socket.addresses': 'socket',
    'exec.commands': 'command',
    'env.names': 'variable',
    'tool.tools': 'wildcard',
    'registry_rule.keys': 'registry key',
    'signal.signals': 'signal',
  },
  placed,
  findings,
  events: [
    event('refusal', 'something was refused', {
      ...judged,
      observed: told(
        v.picklist(['output', 'arguments', 'sweep', 'enforcement']),
        'the way it was noticed; `arguments`: a command on a terminal failed, and its command line names something that the policy refuses',
      ),
      program: v.optional(told(textPart, 'for a refused connection: path of the program that made it')),
    }),
    event('enforcement', 'a rule about files, sockets or signals took effect, other than by a refusal', {
      ...judged,
      outcome: v.picklist(['audited', 'redirected', 'kept', 'approved', 'neutralised']),
      argv: v.optional(told(textsPart, 'for a command that was `neutralised`: the arguments that ran')),
      entry: v.optional(told(textPart, 'the ID of the kept file in the trash')),
    }),
    event('policy.narrow', 'the policy of a running sandbox became stricter; journalled before it takes effect', {
      ...inSession,
      policy: told(sha256Part, 'SHA-256 of texts and grants, as of `session.start`, from now on'),
      wider: told(textsPart, 'IDs of commands that keep their old files, variables and programs'),
      ended: told(textsPart, 'IDs of commands that are ended by it'),
    }),
  ],
  commands: [
    {
      name: 'why',
      module: 'why.ts',
      export: 'whyCommand',
      summary: 'Explain refusals and show the grants that would allow them',
      section: 'policy',
    },
    {
      name: 'policy',
      module: 'policy/index.ts',
      export: 'policyCommand',
      summary: 'Check, show, explain, test, sign and fetch policy files',
      section: 'policy',
    },
  ],
} as const satisfies Feature;

type Part = PolicyPart<typeof ruleEntries>;

function placed({ exec = [] }: Part, layer: LayerKind): readonly DocumentFinding[] {
  return exec.flatMap(({ env }, index) => notOfProjects(env, layer, { at: `exec[${index}].env`, ...setsVariables }));
}

function findings({ exec = [], env = [] }: Part): readonly DocumentFinding[] {
  return [
    ...exec.flatMap(execFindings),
    ...env.flatMap(({ decision, names }, index) =>
      decision === 'deny' || decision === 'ask' ? [] : loadedFromOutside(`env[${index}].names`, names),
    ),
  ];
}
