import { COMMANDS } from '../src/commands/commands.ts';
import { OPERATE_COMMANDS } from '../src/operate/operator-commands.ts';

/** The table of all commands, joined as in the program. */
export const ALL_COMMANDS = { ...COMMANDS, ...OPERATE_COMMANDS };
export const COMMAND_NAMES = Object.keys(ALL_COMMANDS);
