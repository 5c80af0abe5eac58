/** An answer arrives on every terminal: whatever its size, its type, and the pager's fate. */
import { expect } from 'vitest';
import { FIN_PATH } from '../fin-process.ts';
import { testNeeding } from '../needs.ts';
import { makeHome } from './run-fin.ts';
import { hasTerminals, openTerminal } from './terminal.ts';

const SIZES = [0, 1, 5, 12, 16, 20, 29, 40, 80, 300];
const TERMS = ['xterm', 'dumb', ''];
/** Commands in the variable PAGER. The first ones fail, and none of them waits for a key. */
const PAGERS = [
  'false',
  'no-such-pager',
  'exit 3',
  "sh -c 'kill -9 $$'",
  'cat',
  '',
  'tail -n +1 | cat -s',
  "tail -n '+1'",
];
const LESS_OPTIONS = ['', 'FX', 'FRX'];
/** Number of combinations. The first 30 have every size, type, pager and option; FIN_ALL_TERMINALS=1 runs all. */
const COMBINATIONS = process.env.FIN_ALL_TERMINALS ? 240 : 30;

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Returns a shell command that asks one question under the combination with this number. */
function makeCommand(number: number): string {
  const [columns, rows] = [pick(SIZES, number), pick(SIZES, Math.floor(number / SIZES.length) + 3 * number)];
  const variables = [
    `TERM='${pick(TERMS, number)}'`,
    `PAGER=${JSON.stringify(pick(PAGERS, Math.floor(number / 3)).replaceAll('$', '\\$'))}`,
    `LESS='${pick(LESS_OPTIONS, Math.floor(number / 7))}'`,
  ];
  const question = 'metrics AAPL --period annual --keys revenue,net_income --years 2 -q';
  return `stty cols ${columns} rows ${rows}; ${variables.join(' ')} "${process.execPath}" "${FIN_PATH}" ${question}; printf ' exit %s\\036' $?`;
}

/** Asks under the combinations with these numbers on one terminal; returns the commands that lost a value. */
async function findLostAnswers(numbers: readonly number[]): Promise<string[]> {
  const commands = numbers.map(makeCommand);
  const terminal = openTerminal(commands.join('; '), { HOME: makeHome() });
  await terminal.exitCode;
  const answers = terminal.terminalText().split('\u001e').slice(0, -1);
  expect(answers).toHaveLength(commands.length);
  return answers.flatMap((answer, index) => {
    const hasValues = ['416.16B', '391.04B', '112.01B', '93.74B'].every((value) => answer.includes(value));
    return hasValues || !answer.endsWith(' exit 0') ? [] : [commands[index] ?? ''];
  });
}

testNeeding('script(1)', hasTerminals)(
  'every value arrives on terminals of any size, type and pager',
  async () => {
    const numbers = Array.from({ length: COMBINATIONS }, (_, number) => number);
    const lost = await Promise.all(
      [0, 1, 2, 3].map((quarter) => findLostAnswers(numbers.filter((number) => number % 4 === quarter))),
    );
    expect(lost.flat()).toEqual([]);
  },
  120_000,
);
