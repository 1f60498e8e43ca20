/** One line about the features of a cluster. */
export interface ClusterFinding {
  readonly subject:
    | 'server'
    | 'rights'
    | 'runtime-classes'
    | 'agent-sandbox'
    | 'pool'
    | 'namespace'
    | 'admission'
    | 'network-policy'
    | 'proof'
    | 'packets'
    | 'container'
    | 'box';
  /** `held`: confirmed by a question or an attempt. `missing`: a run needs it. `unknown`: it could not be examined. */
  readonly state: 'held' | 'missing' | 'unknown';
  readonly told: string;
  /** Only for `missing`. */
  readonly remedy?: string;
}

export interface ClusterExamination {
  readonly server: string;
  readonly context: string;
  readonly namespace: string;
  readonly findings: readonly ClusterFinding[];
}

export const heldFinding = (subject: ClusterFinding['subject'], told: string): ClusterFinding => ({
  subject,
  state: 'held',
  told,
});
export const missingFinding = (subject: ClusterFinding['subject'], told: string, remedy: string): ClusterFinding => ({
  subject,
  state: 'missing',
  told,
  remedy,
});

export const unknownFinding = (subject: ClusterFinding['subject'], told: string): ClusterFinding => ({
  subject,
  state: 'unknown',
  told,
});
