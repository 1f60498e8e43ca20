// Bypasses the room's index: otherwise `run` would load the whole policy room.
export { everyBox, levelGuarantees, type LevelName, levelNames } from '../policy/settings/levels.ts';
