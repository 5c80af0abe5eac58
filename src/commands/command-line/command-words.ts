/** Finds the command among the arguments, wherever options stand. */
import { GLOBAL_OPTIONS } from './global-options.ts';

export interface CommandLine {
  /** The command's words joined by a space, or null when none was named. */
  readonly name: string | null;
  /** All other arguments, in order. */
  readonly rest: readonly string[];
}

const TAKES_VALUE = new Set(
  GLOBAL_OPTIONS.filter((option) => option.value !== undefined).flatMap(({ name, short }) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]),
);

/** @param names all commands; a group's first word alone is not one of them */
export function findCommand(argv: readonly string[], names: readonly string[]): CommandLine {
  const at = nextWord(argv, 0);
  if (at === null) return { name: null, rest: argv };
  const first = argv[at] ?? '';
  const isGroup = names.some((name) => name.startsWith(`${first} `));
  const second = isGroup ? nextWord(argv, at + 1) : null;
  const words = second === null ? [at] : [at, second];
  return {
    name: words.map((index) => argv[index]).join(' '),
    rest: argv.filter((_, index) => !words.includes(index)),
  };
}

/** The first argument that is no option and no value of one of the options every command takes. */
function nextWord(argv: readonly string[], from: number): number | null {
  for (let index = from; index < argv.length; index += 1) {
    const text = argv[index] ?? '';
    if (text === '--') return null;
    if (TAKES_VALUE.has(text)) index += 1;
    else if (!text.startsWith('-')) return index;
  }
  return null;
}
