import type { LayerKind } from '../verdict.ts';
import type { Finding } from './problem.ts';
import type { PolicyValue } from './types.ts';

/** What a policy may not say because of the layer it is for. */
export function placeFindings(value: PolicyValue, kind: LayerKind): readonly Finding[] {
  return [
    ...(kind === 'required'
      ? [
          {
            at: '',
            message: 'the required layer is built in',
            remedy: 'use the document as managed, user, project or session policy',
          },
        ]
      : []),
    ...(value.files?.release !== undefined && kind !== 'user' && kind !== 'managed'
      ? [
          {
            at: 'files.release',
            message: `a ${kind} policy cannot release protected or hidden files`,
            remedy: 'move files.release to the user policy',
          },
        ]
      : []),
    ...(value.registry?.release !== undefined && kind !== 'user' && kind !== 'managed'
      ? [
          {
            at: 'registry.release',
            message: `a ${kind} policy cannot release registry keys`,
            remedy: 'move registry.release to the user policy',
          },
        ]
      : []),
    ...(value.propose !== undefined && kind !== 'project'
      ? [
          {
            at: 'propose',
            message: `a ${kind} policy cannot propose: it has nobody above it to ask`,
            remedy: 'write the grants themselves, without [[propose]]',
          },
        ]
      : []),
    ...(value.approvals !== undefined && kind !== 'user' && kind !== 'managed'
      ? [
          {
            at: 'approvals',
            message: `a ${kind} policy cannot say how questions are asked: it would choose who may answer them`,
            remedy: 'move [approvals] to the user policy',
          },
        ]
      : []),
    ...(value.resident !== undefined && kind !== 'user' && kind !== 'managed'
      ? [
          {
            at: 'resident',
            message: `a ${kind} policy cannot say what stays in the background of a person's machine`,
            remedy: 'move resident to the user policy',
          },
        ]
      : []),
    ...llmPlaceFindings(value, kind),
    ...(kind === 'project' && value.credentials !== undefined
      ? [
          {
            at: 'credentials',
            message:
              'a project policy cannot hold credentials: it would choose which secrets are read, by which commands, and who gets them',
            remedy: 'move [[credentials]] to the user policy',
          },
        ]
      : []),
    ...outsideUser(value, kind, 'passthrough'),
    ...outsideUser(value, kind, 'ca'),
    ...trashOutsideUser(value, kind, 'trash'),
    ...trashOutsideUser(value, kind, 'trash_age'),
    ...(value.environment?.set !== undefined && kind === 'project'
      ? [
          {
            at: 'environment.set',
            message: 'a project policy cannot set variables',
            remedy: 'put them into a [[propose]] entry, for the user to accept',
          },
        ]
      : []),
    ...(kind === 'project' ? (value.exec ?? []) : []).flatMap(({ env }, index) =>
      env === undefined
        ? []
        : [
            {
              at: `exec[${index}].env`,
              message: 'a project policy cannot set variables',
              remedy: 'put them into a [[propose]] entry, for the user to accept',
            },
          ],
    ),
  ];
}

/** The user has one trash: a project with a low quota would have what other projects deleted thrown away. */
function trashOutsideUser(value: PolicyValue, kind: LayerKind, key: 'trash' | 'trash_age'): readonly Finding[] {
  if (value.limits?.[key] === undefined || kind === 'user' || kind === 'managed') return [];
  return [
    {
      at: `limits.${key}`,
      message: `a ${kind} policy cannot say how much of the user's trash is kept`,
      remedy: `move limits.${key} to the user policy`,
    },
  ];
}

/** Both take something away from what is seen or checked, so only those may say it who answer for the machine. */
function outsideUser(value: PolicyValue, kind: LayerKind, key: 'passthrough' | 'ca'): readonly Finding[] {
  if (value.network?.[key] === undefined || kind === 'user' || kind === 'managed') return [];
  const does = key === 'ca' ? 'add certificate authorities' : 'let TLS pass unseen';
  return [
    {
      at: `network.${key}`,
      message: `a ${kind} policy cannot ${does}`,
      remedy: `move network.${key} to the user policy`,
    },
  ];
}

/**
 * What only those may say about language models who answer for the machine: it takes something away from what is seen
 * or counted.
 */
function llmPlaceFindings({ llm }: Pick<PolicyValue, 'llm'>, kind: LayerKind): readonly Finding[] {
  if (kind === 'user' || kind === 'managed') return [];
  return usersOnly.flatMap(({ key, value, does }) => {
    const said = llm?.[key];
    if (said === undefined || (value !== undefined && said !== value)) return [];
    return [
      {
        at: `llm.${key}`,
        message: `a ${kind} policy cannot ${does}`,
        remedy: `move ${key === 'servers' || key === 'prices' ? `[[llm.${key}]]` : `llm.${key}`} to the user policy`,
      },
    ];
  });
}

const usersOnly = [
  { key: 'servers', value: undefined, does: 'say what a server of models is' },
  { key: 'prices', value: undefined, does: 'say what a model costs' },
  { key: 'gateway', value: 'off', does: 'keep requests to language models from being looked into' },
  { key: 'output', value: 'as-is', does: 'keep answers of language models from being filtered' },
  { key: 'local_tools', value: undefined, does: 'say which tools run on this machine: they get what is secret' },
  { key: 'log', value: undefined, does: "say what is kept of the user's conversations" },
  { key: 'log_keep', value: undefined, does: "say how long the user's conversations are kept" },
  { key: 'log_most', value: undefined, does: "say how much of the user's conversations is kept" },
] as const;
