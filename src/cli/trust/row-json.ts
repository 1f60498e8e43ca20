import { isApproved, type TrustRow } from './workspace-trust.ts';

/** A file as `--json` has it. What `holdfast trust add --from` reads of it are `path`, `sha256` and `scripts`. */
export function rowJson(row: TrustRow): unknown {
  const { path, state, rule, signer, found, entry } = row;
  const { sha256, surface, fields, scripts } = found ?? { sha256: entry?.sha256, surface: undefined, fields: entry?.fields, scripts: entry?.scripts };
  return {
    path,
    state,
    approved: isApproved(row),
    ...(rule === undefined ? {} : { rule }),
    ...(signer === undefined ? {} : { signer }),
    sha256,
    surface: surface?.name ?? entry?.surface,
    ...(surface === undefined ? {} : { kind: surface.kind, clients: surface.clients, gate: surface.gate }),
    ...(found === undefined ? {} : { size: found.size }),
    ...(found?.problem === undefined ? {} : { problem: found.problem }),
    ...(entry === undefined ? {} : { approvedAt: entry.approvedAt, level: entry.level }),
    fields,
    scripts,
  };
}
