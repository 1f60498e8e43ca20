import { credentialGroups } from '../credentials/credential-group.ts';
import type { Origin } from '../origin.ts';
import type { RuleTable } from '../document/rule-schema.ts';
import { lineOf, type PolicyDocument } from '../document/types.ts';
import { type PatternBase, patternRoots } from '../patterns/resolve-path.ts';
import type { LayerKind } from '../verdict.ts';
import { documentSettings } from './document-settings.ts';
import { type Atom, type LayerSource, type ListName, listNames, type RuleAtom } from './source.ts';

export interface DocumentPlace extends PatternBase {
  readonly kind: LayerKind;
}

/** Returns a document as the statements of a layer that only narrows. */
export function documentSource(document: PolicyDocument, place: DocumentPlace): LayerSource {
  const { kind, home, workspace } = place;
  const roots = patternRoots({ home, workspace });
  return {
    kind,
    file: document.file,
    editFile: document.file,
    roots,
    role: 'ceiling',
    lists: mapLists((name) => documentAtoms(document, name, kind)),
    listOrigins: mapLists((name) =>
      listIn(document, name) === undefined ? undefined : originOf(document, name, kind),
    ),
    rules: documentRules(document, kind),
    names: [],
    hiddenPlaces: [],
    registryKeys: [],
    credentials: credentialGroups(document, kind, roots),
    settings: documentSettings(document, kind, roots),
  };
}

/** Returns the items of a document's list. Undefined if the list is absent. */
export function documentAtoms(document: PolicyDocument, name: ListName, kind: LayerKind): readonly Atom[] | undefined {
  return listIn(document, name)?.map((item, index) => ({
    text: String(item),
    origin: originOf(document, `${name}[${index}]`, kind),
  }));
}

/** Maps every list for which `make` returns a value. */
export function mapLists<Value>(
  make: (name: ListName) => Value | undefined,
): Readonly<Partial<Record<ListName, Value>>> {
  const entries = listNames.flatMap((name): [ListName, Value][] => {
    const value = make(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as Partial<Record<ListName, Value>>;
}

function originOf(document: PolicyDocument, rule: string, layer: LayerKind): Origin {
  return { rule, layer, file: document.file, line: lineOf(document, rule) };
}

function listIn(document: PolicyDocument, name: ListName): readonly (string | number)[] | undefined {
  const [section = '', key = ''] = name.split('.');
  const table = (document.value as Readonly<Record<string, unknown>>)[section];
  return (table as Readonly<Record<string, readonly (string | number)[] | undefined>> | undefined)?.[key];
}

function documentRules(document: PolicyDocument, layer: LayerKind): LayerSource['rules'] {
  const read = <Table extends RuleTable>(table: Table): readonly RuleAtom<Table>[] => {
    const rules: readonly RuleAtom<Table>['rule'][] = document.value[table] ?? [];
    return rules.map((rule, index) => ({
      rule,
      origin: { rule: rule.name, layer, file: document.file, line: lineOf(document, `${table}[${index}]`) },
    }));
  };
  return {
    file: read('file'),
    exec: read('exec'),
    connect: read('connect'),
    http: read('http'),
    dns: read('dns'),
    socket: read('socket'),
    signal: read('signal'),
    env: read('env'),
    tool: read('tool'),
    trust: read('trust'),
    registry_rule: read('registry_rule'),
  };
}

export const noRules: LayerSource['rules'] = {
  file: [],
  exec: [],
  connect: [],
  http: [],
  dns: [],
  socket: [],
  signal: [],
  env: [],
  tool: [],
  trust: [],
  registry_rule: [],
};
