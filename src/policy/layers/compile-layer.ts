import { HoldfastError } from '../../errors/index.ts';
import { placeFindings } from '../document/place-findings.ts';
import type { DocumentGrants, PolicyDocument } from '../document/types.ts';
import type { GuaranteeName } from '../guarantees.ts';
import { builtinFile, defaultUserFile } from '../origin.ts';
import { type PatternBase, patternRoots } from '../patterns/resolve-path.ts';
import { everyBox } from '../settings/levels.ts';
import { builtinOrigin, defaultLists, hiddenPlaceAtoms, nameAtoms, registryKeyAtoms } from './builtin-atoms.ts';
import { compileSource } from './compile-source.ts';
import { mentionedLimits } from './document-settings.ts';
import { documentAtoms, type DocumentPlace, documentSource, mapLists, noRules } from './document-source.ts';
import type { Layer } from './layer.ts';
import type { LayerSettings, LimitSettings, Setting } from './settings.ts';
import type { Atom, LayerSource, ListName } from './source.ts';

/** Compiles a document for its layer. Throws `HF_POLICY_INVALID` for a statement that this layer may not make. */
export function compileLayer(document: PolicyDocument, place: DocumentPlace): Layer {
  const [finding] = placeFindings(document.value, place.kind);
  if (finding !== undefined)
    throw new HoldfastError('HF_POLICY_INVALID', `${document.file}: ${finding.message}`, { remedy: finding.remedy });
  if (place.kind === 'user') return userLayer(document, place);
  const id = JSON.stringify([
    place.kind,
    document.file,
    place.home,
    place.workspace,
    document.value,
    [...document.lines],
  ]);
  const source = documentSource(document, place);
  // A list of releases is also a ceiling: the machine's administrator decides which protections a user may release.
  const limitsReleases = place.kind === 'managed' && source.lists['files.release'] !== undefined;
  return compileSource(
    limitsReleases ? { ...source, names: nameAtoms('managed'), hiddenPlaces: hiddenPlaceAtoms('managed') } : source,
    id,
  );
}

/** Grants of the user outside of the policy file: by a flag, or by accepting a project's proposal. */
export interface GrantSource {
  /** Name in verdicts: `--read`, or `proposal fetch-schema`. */
  readonly name: string;
  /** The file that holds it, or `command line`. */
  readonly file: string;
  /** Patterns, as in a policy file. A literal path goes through `pathPatternOf`. */
  readonly grants: DocumentGrants;
  /** A document whose credentials are granted too. Nothing else of it counts. */
  readonly credentials?: PolicyDocument;
}

export interface UserContext extends PatternBase {
  /**
   * Path of the user's policy, for remedies, even if the file does not exist. Default:
   * `~/.config/holdfast/policy.toml`.
   */
  readonly userFile?: string;
}

/**
 * Returns the base of every policy: the built-in defaults, extended by the user's own file and grants. It denies all
 * other requests.
 */
export function userLayer(
  document: PolicyDocument | undefined,
  context: UserContext,
  granted: readonly GrantSource[] = [],
): Layer {
  const { home, workspace } = context;
  const file = document?.file ?? builtinFile;
  const own = document === undefined ? undefined : documentSource(document, { kind: 'user', home, workspace });
  const source: LayerSource = {
    kind: 'user',
    file,
    editFile: document?.file ?? context.userFile ?? defaultUserFile,
    roots: patternRoots({ home, workspace }),
    role: 'base',
    lists: mapLists((name) => extended(name, document, granted)),
    listOrigins: own?.listOrigins ?? {},
    rules: own?.rules ?? noRules,
    names: nameAtoms('user'),
    hiddenPlaces: hiddenPlaceAtoms('user'),
    registryKeys: registryKeyAtoms(),
    credentials: [
      ...(own?.credentials ?? []),
      ...granted.flatMap(({ credentials }) =>
        credentials === undefined ? [] : documentSource(credentials, { kind: 'user', home, workspace }).credentials,
      ),
    ],
    settings: extendedSettings(document, own?.settings, granted),
  };
  return compileSource(
    source,
    JSON.stringify(['user', source.editFile, home, workspace, document?.value, [...(document?.lines ?? [])], granted]),
  );
}

function extended(
  name: ListName,
  document: PolicyDocument | undefined,
  granted: readonly GrantSource[],
): readonly Atom[] | undefined {
  const defaults = defaultLists[name];
  const own = document === undefined ? undefined : documentAtoms(document, name, 'user');
  const given = granted.flatMap((source) => grantedAtoms(name, source));
  if (defaults === undefined && own === undefined && given.length === 0) return undefined;
  return [...(own ?? []), ...given, ...(defaults ?? [])];
}

function grantedAtoms(name: ListName, source: GrantSource): readonly Atom[] {
  return (grantedList(name, source.grants) ?? []).map((text) => ({
    text,
    origin: { rule: `${source.name} ${text}`, layer: 'user', file: source.file, line: 0 },
  }));
}

function grantedList(name: ListName, grants: DocumentGrants): readonly string[] | undefined {
  switch (name) {
    case 'files.read':
      return grants.files?.read;
    case 'files.write':
      return grants.files?.write;
    case 'files.ephemeral':
      return grants.files?.ephemeral;
    case 'files.release':
      return grants.files?.release;
    case 'network.hosts':
      return grants.network?.hosts;
    case 'network.presets':
      return grants.network?.presets;
    case 'network.forward':
      return grants.network?.forward?.map(String);
    case 'sockets.allow':
      return grants.sockets?.allow;
    case 'environment.pass':
      return grants.environment?.pass;
    default:
      return undefined;
  }
}

/** The user may raise or lift a default limit, so the user's limits replace it. Other layers take the minimum. */
function extendedSettings(
  document: PolicyDocument | undefined,
  own: LayerSettings | undefined,
  granted: readonly GrantSource[],
): LayerSettings {
  const mentioned = document === undefined ? new Set<keyof LimitSettings>() : mentionedLimits(document);
  const kept = Object.entries(defaultLimits).filter(([name]) => !mentioned.has(name as keyof LimitSettings));
  const given = granted.flatMap(({ name, file, grants }) =>
    Object.entries(grants.environment?.set ?? {}).map(([variable, value]) => ({
      name: variable,
      value,
      origin: { rule: `${name} ${variable}`, layer: 'user', file, line: 0 } as const,
    })),
  );
  return {
    ...own,
    limits: { ...(Object.fromEntries(kept) as LimitSettings), ...own?.limits },
    variables: [...(own?.variables ?? []), ...given],
    requirements: [...defaultRequirements, ...(own?.requirements ?? [])],
    ptrace: own?.ptrace ?? { value: 'deny', origin: builtinOrigin('process.ptrace', 'user') },
    dns: own?.dns ?? { value: 'fake', origin: builtinOrigin('network.dns', 'user') },
    watch: own?.watch ?? { value: 'every-host', origin: builtinOrigin('network.watch', 'user') },
    unknownCommands: own?.unknownCommands ?? { value: 'ask', origin: builtinOrigin('commands.unknown', 'user') },
    gitCommands: own?.gitCommands ?? { value: 'neutral', origin: builtinOrigin('commands.git', 'user') },
    newProtected: own?.newProtected ?? { value: 'refuse', origin: builtinOrigin('files.new_protected', 'user') },
    laterSockets: own?.laterSockets ?? { value: 'refuse', origin: builtinOrigin('sockets.later', 'user') },
  };
}

const gibibyte = 2 ** 30;
const day = 86_400_000;

/**
 * Limits that stop a fork bomb, a memory bomb and a full disk, and that no build reaches. There is no wall time,
 * because an agent may work all night. Processes: a parallel build of a browser has about 300, and threads count too.
 */
const defaultLimits: LimitSettings = {
  memory: { value: { kind: 'share', share: 0.75 }, origin: builtinOrigin('limits.memory', 'user') },
  processes: { value: 2048, origin: builtinOrigin('limits.processes', 'user') },
  openFiles: { value: 65_536, origin: builtinOrigin('limits.open_files', 'user') },
  tmp: { value: { kind: 'bytes', bytes: 2 * gibibyte }, origin: builtinOrigin('limits.tmp', 'user') },
  trash: { value: 2e9, origin: builtinOrigin('limits.trash', 'user') },
  trashAge: { value: 30 * day, origin: builtinOrigin('limits.trash_age', 'user') },
};

/**
 * Without these guarantees the defaults have no effect. Limits are not included, because not every host lets a user
 * make control groups.
 */
const defaultRequirements: readonly Setting<GuaranteeName>[] = everyBox.map((value) => ({
  value,
  origin: builtinOrigin(`require:${value}`, 'user'),
}));
