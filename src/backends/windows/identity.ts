import { createHash } from 'node:crypto';

/** As whom the command runs. */
export type Identity =
  | {
      readonly kind: 'appcontainer';
      readonly profile: string;
      readonly sid: string;
      /** Never any: `internetClient` and its like would open the network beside the fence. */
      readonly capabilities: readonly [];
    }
  | {
      readonly kind: 'restricted-token';
      /** The identifier by which the box is granted anything. */
      readonly sid: string;
      /** Groups that can only refuse. */
      readonly denyOnly: readonly string[];
      /** Access has to be granted to the user and to one of these. */
      readonly restricting: readonly string[];
      readonly integrity: 'low';
      /** All others are taken away. */
      readonly privileges: readonly ['SeChangeNotifyPrivilege'];
    };

/** `tag`: one for each box, of letters, digits, dots and hyphens. */
export function identityOf(kind: Identity['kind'], tag: string): Identity {
  if (kind === 'appcontainer') {
    const profile = `holdfast.${tag}`;
    return { kind, profile, sid: appContainerSid(profile), capabilities: [] };
  }
  return {
    kind,
    sid: `S-1-9-${words(tag, 4).join('-')}`,
    // Administrators, power users, and local accounts that are administrators.
    denyOnly: ['S-1-5-32-544', 'S-1-5-32-547', 'S-1-5-114'],
    // Everyone and users, so that libraries of the system can be loaded.
    restricting: [`S-1-9-${words(tag, 4).join('-')}`, 'S-1-1-0', 'S-1-5-32-545'],
    integrity: 'low',
    privileges: ['SeChangeNotifyPrivilege'],
  };
}

/**
 * As `DeriveAppContainerSidFromAppContainerName` makes it: the first seven words of the SHA-256 of the name in lower
 * case.
 */
export function appContainerSid(profile: string): string {
  return `S-1-15-2-${words(profile.toLowerCase(), 7).join('-')}`;
}

function words(text: string, count: number): readonly number[] {
  const digest = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest();
  return Array.from({ length: count }, (_, index) => digest.readUInt32LE(index * 4));
}
