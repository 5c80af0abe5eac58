/**
 * Tests that every field in the JSON of a resource is also in its CSV and NDJSON, at least in one of the tables that
 * `--rows` offers.
 */
import { expect, test } from 'vitest';
import type { QuestionCommand } from '../../src/ask/command/command.ts';
import { OPERATIONS, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { SHAPE_BY_RESOURCE, type Shape } from '../../src/contract/response-shapes.ts';
import { ADDED_COLUMNS } from '../../src/contract/screen-columns.ts';
import { loadQuestion } from '../../src/questions/question-table.ts';
import { makeFlatRows } from '../../src/result/result.ts';
import { runWithData } from './result-of.ts';

interface Leaf {
  readonly path: string;
  /**
   * A value by which the field is found: no other field of the answer has it. Null for a boolean, which cannot be
   * unique.
   */
  readonly value: string | number | null;
}

/** Returns an answer with one item in every list, and adds each of its fields to `leaves`. */
function fillShape(shape: Shape, path: string, leaves: Leaf[]): unknown {
  if ('items' in shape) return [fillShape(shape.items, path, leaves)];
  if ('fields' in shape) {
    return Object.fromEntries(
      shape.fields.map(([name, field]) => [name, fillShape(field, path === '' ? name : `${path}.${name}`, leaves)]),
    );
  }
  if (shape.kind === 'boolean') {
    leaves.push({ path, value: null });
    return true;
  }
  const uniqueNumber = 700_000 + leaves.length;
  const value =
    shape.kind === 'text' || shape.kind === 'date'
      ? `text-${uniqueNumber}-`
      : shape.kind === 'decimal'
        ? `${uniqueNumber}.5`
        : uniqueNumber;
  leaves.push({ path, value });
  return value;
}

/** Returns the command of the operation, and for raw-concepts also `fin facts AAPL Assets`, which has more fields. */
async function listCommands(
  id: OperationId,
): Promise<readonly { command: QuestionCommand; settings?: { args: string[] } }[]> {
  const plainCommand = { command: await loadQuestion(id) };
  return id === 'raw-concepts'
    ? [plainCommand, { command: await loadQuestion('facts'), settings: { args: ['AAPL', 'Assets'] } }]
    : [plainCommand];
}

async function findMissingFields({ id, resource, rows: entry }: Operation): Promise<readonly string[]> {
  const shape = SHAPE_BY_RESOURCE[resource];
  if (shape === undefined) throw new Error(`There is no resource ${resource}.`);
  const leaves: Leaf[] = [];
  const sampleResource = fillShape(shape, '', leaves);
  const data = entry?.field === null ? [sampleResource] : sampleResource;
  const columns = new Set<string>();
  const cells: string[] = [];
  // The screener has some columns only if they are requested.
  const columnOptions = id === 'screen' ? [{ columns: [...ADDED_COLUMNS].join(',') }] : [];
  for (const { command, settings } of await listCommands(id)) {
    const rowKinds = command.options?.find(({ name }) => name === 'rows')?.values ?? [];
    for (const options of [{}, ...rowKinds.map((rows) => ({ rows })), ...columnOptions]) {
      const flatTable = makeFlatRows(await runWithData(command, data, { form: 'rows', options, ...settings }));
      for (const column of flatTable.columns) columns.add(column);
      for (const row of flatTable.rows) for (const cell of row) cells.push(String(cell));
    }
  }
  const getLastPathPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const isInRows = ({ path, value }: Leaf): boolean =>
    value === null
      ? [...columns].some((column) => column === getLastPathPart(path) || column.endsWith(`_${getLastPathPart(path)}`))
      : cells.some((cell) => cell.includes(String(value)));
  return leaves.filter((leaf) => !isInRows(leaf)).map(({ path }) => path);
}

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  'rows of %s have every field of the answer',
  async (_, operation) => {
    expect(await findMissingFields(operation)).toEqual([]);
  },
);
