// Not through the index: `run` would carry the whole of the policy room along.
export { everyBox, levelGuarantees, type LevelName, levelNames } from '../policy/settings/levels.ts';
