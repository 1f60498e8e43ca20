import { opaqueEffect } from '../notation.ts';

export const changesSystem = opaqueEffect(
  'inline-code',
  'installs or removes programs of the system, whose scripts run as its administrator',
);
