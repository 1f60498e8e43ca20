// Bypasses the room's index, because `run` would otherwise load the whole policy room.
export { everyBox, levelGuarantees, type LevelName, levelNames } from '../policy/settings/levels.ts';
