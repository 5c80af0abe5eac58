/**
 * Resources that assistants can read in addition to calling tools: the release, the catalog of metrics, and the figures
 * of the screener.
 */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Connection } from '../client/connection.ts';
import { dependsOnPrice, formatFormula } from '../contract/figures.ts';
import { SCREEN_FIGURES } from '../contract/screen-columns.ts';
import { askByName } from '../questions/ask-by-name.ts';
import type { QuestionName } from '../questions/question-table.ts';
import { formatAnswerText, MAX_ANSWER_BYTES } from '../render/assistant/answer-text.ts';
import { compactRows, joinValues } from '../render/assistant/compact-rows.ts';
import { keepOnlyColumns, makeFlatRows } from '../result/result.ts';
import type { FlatRows } from '../result/rows.ts';
import { listNoticeTexts } from './wording.ts';

/**
 * Returns a function that requests an operation without arguments and returns the rows as a table with the given
 * columns.
 */
const makeAnswerReader =
  (name: QuestionName, columns: readonly string[]) => async (connection: Connection, signal: AbortSignal) => {
    signal.throwIfAborted();
    const { result } = await askByName(name, {}, { connection, form: 'view', offeredOptions: [] });
    const rows = compactRows(makeFlatRows(keepOnlyColumns(result, columns)));
    return formatAnswerText({
      meta: result.meta,
      sections: [{ title: null, facts: [], rows, units: rows.lines.map(() => 1) }],
      notices: listNoticeTexts(result),
      attribution: null,
      // A resource is read once, so it may be larger than an answer.
      maxBytes: 2 * MAX_ANSWER_BYTES,
      describeOmittedRows: ([shown = 0]) => {
        const count = rows.lines.length - shown;
        return count === 0 || rows.columns.length === 0 ? null : `Left out: ${count} of ${rows.lines.length} rows.`;
      },
    });
  };

const RESOURCES = [
  {
    uri: 'fin://release',
    name: 'release',
    title: 'The data release',
    description: 'The data release from which answers are read: its date, the result of its checks, and its stamp.',
    read: makeAnswerReader('release', ['date', 'checks', 'published_at', 'stamp']),
  },
  {
    uri: 'fin://catalog',
    name: 'catalog',
    title: 'The catalog of metrics',
    description: 'Every metric: its key, meaning and statement, and the formula of derived metrics.',
    read: makeAnswerReader('catalog', ['key', 'description', 'statement', 'formula', 'covered_company_count']),
  },
  {
    uri: 'fin://figures',
    name: 'figures',
    title: 'The figures of the screener',
    description:
      'Every figure that the tool "screen" can filter and sort by: its key, meaning and formula. Ratios are fractions.',
    read: async () => formatFigureDefinitions(),
  },
];

function formatFigureDefinitions(): string {
  const rows: FlatRows = {
    columns: ['key', 'label', 'measure', 'formula', 'needs_price'],
    rows: SCREEN_FIGURES.map((figure) => {
      const { key, label, measure } = figure;
      return [key, label, measure, formatFormula(figure), dependsOnPrice(key) ? 'yes' : null];
    }),
  };
  return [rows.columns.join(','), ...[...rows.rows].map(joinValues)].join('\n');
}

export const listResources = () => RESOURCES.map(({ read: _, ...entry }) => ({ ...entry, mimeType: 'text/plain' }));

/** Returns the content of a resource. Throws a protocol error for an unknown address. */
export async function readResource(uri: string, connect: () => Promise<Connection>, signal: AbortSignal) {
  const resource = RESOURCES.find((entry) => entry.uri === uri);
  if (resource === undefined) throw new ResourceNotFoundError(uri.slice(0, 200));
  return { contents: [{ uri, mimeType: 'text/plain', text: await resource.read(await connect(), signal) }] };
}
