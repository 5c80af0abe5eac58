/** Words notices and advice for programs: options as parameters, and commands as calls of this module. */
import type { CommandCall, Text, Wording } from '../contract/text/text.ts';
import { formatText, listCalls, TERMINAL_WORDING } from '../contract/text/text.ts';
import { isQuestionName, toTypedArguments } from '../questions/ask-by-name.ts';
import type { Call } from './public-types.ts';

/** Options of commands that programs give to `connect` or to a function, by the command's name. */
const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  all: 'rows()',
  'api-key-file': 'apiKey',
  'base-url': 'baseUrl',
  'max-age': 'maxAge',
  'max-wait': 'maxWait',
  'no-cache': 'cache: false',
};

const OWN_FUNCTIONS: ReadonlySet<string> = new Set(['compare', 'peers', 'read', 'grep', 'changes']);

const PROGRAM_WORDING: Wording = {
  option: ({ option, value }) => {
    const name = PROGRAM_NAMES[option] ?? option.replaceAll('-', '_');
    return value === undefined ? name : `${name}: ${JSON.stringify(value)}`;
  },
  call: (call) => {
    if (!isQuestionName(call.command)) return TERMINAL_WORDING.call(call);
    const given = JSON.stringify(toTypedArguments(call.command, call.given));
    return OWN_FUNCTIONS.has(call.command)
      ? `${call.command}(${given})`
      : `ask(${JSON.stringify(call.command)}, ${given})`;
  },
};

export const formatForProgram = (text: Text): string => formatText(text, PROGRAM_WORDING);

export const toProgramCalls = (text: Text): readonly Call[] => listCalls(text).map(toProgramCall);

export const toProgramCall = (call: CommandCall): Call => ({
  command: call.command,
  given: isQuestionName(call.command) ? (toTypedArguments(call.command, call.given) as Call['given']) : call.given,
});
