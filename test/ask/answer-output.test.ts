import { expect, test } from 'vitest';
import { renderNothing } from '../../src/ask/answer-output.ts';
import { loadCommand } from '../../src/commands/command-table.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';

const commands = await Promise.all(OPERATIONS.map(({ id }) => loadCommand(id)));
const ofSeveral = commands.flatMap((command) =>
  command.kind === 'question' && command.definition.args.some(({ many }) => many === true) ? [command.definition] : [],
);

test.each(ofSeveral)('the columns of fin $operation are known without an answer', (definition) => {
  const { columns, rows } = renderNothing(definition, { parameters: {}, width: null }, { fields: null }).rows();
  expect(columns.length).toBeGreaterThan(2);
  expect([...rows]).toEqual([]);
});
