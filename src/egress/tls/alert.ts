/** Alerts of RFC 8446 §6 that are sent by hand, before any key exists. */
const alerts = {
  accessDenied: 49,
  decodeError: 50,
  internalError: 80,
  missingExtension: 109,
  unrecognizedName: 112,
} as const;

export type AlertName = keyof typeof alerts;

const alertRecordType = 21;
const fatal = 2;

/** A fatal alert as the only record of the server. */
export function alertRecord(name: AlertName): Uint8Array {
  return Uint8Array.of(alertRecordType, 3, 3, 0, 2, fatal, alerts[name]);
}
