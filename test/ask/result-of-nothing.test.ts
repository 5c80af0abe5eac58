import { expect, test } from 'vitest';
import { createEmptyResult } from '../../src/ask/ask.ts';
import { loadCommand } from '../../src/commands/command-line/command-table.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { makeFlatRows } from '../../src/result/result.ts';
import { ALL_COMMANDS } from '../all-commands.ts';
import { createAskOptions, planCommand } from '../questions/result-of.ts';

const commands = await Promise.all(OPERATIONS.map(({ id }) => loadCommand(ALL_COMMANDS, id)));
const commandsWithSeveralInputs = commands.flatMap((command) =>
  command.kind === 'question' && command.definition.args.some(({ many }) => many === true) ? [command.definition] : [],
);

test.each(commandsWithSeveralInputs)(
  'the empty result of fin $operation has columns and no rows',
  async (definition) => {
    const plan = await planCommand(definition, { form: 'rows' });
    const result = await createEmptyResult(
      plan,
      createAskOptions(() => null),
    );
    if (result === null) throw new Error('there is no result');
    const { columns, rows } = makeFlatRows(result);
    expect(columns.length).toBeGreaterThan(2);
    expect([...rows]).toEqual([]);
  },
);
