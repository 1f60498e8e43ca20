import type { JournalEntry } from '../entries.ts';
import { type Technique, techniquesOf } from '../techniques/techniques-of.ts';
import { isKnown, TextTally } from './describe-entry.ts';
import type { ReportSection } from './types.ts';

/** The MITRE ATT&CK techniques that the entries of a session show. */
export class TechniquesSection {
  readonly #found = new Map<Technique['id'], { readonly technique: Technique; readonly types: TextTally }>();

  add(entry: JournalEntry): void {
    for (const technique of techniquesIn(entry)) {
      const found = this.#found.get(technique.id) ?? { technique, types: new TextTally() };
      found.types.add(entry.type);
      this.#found.set(technique.id, found);
    }
  }

  build(): ReportSection {
    const items = Array.from(this.#found.values(), ({ technique: { id, name, url }, types }) => ({
      title: `${id} ${name}`,
      tone: 'calm' as const,
      facts: [
        { label: 'shown by', text: types.toString() },
        { label: 'see', text: url },
      ],
    }));
    return { title: 'Similar MITRE ATT&CK techniques', items, left: 0 };
  }
}

/** Empty for an entry with invalid fields. */
export function techniquesIn(entry: JournalEntry): readonly Technique[] {
  if (!isKnown(entry)) return [];
  try {
    return techniquesOf(entry);
  } catch {
    // Fields of every event are missing: someone wrote this line by hand.
    return [];
  }
}
