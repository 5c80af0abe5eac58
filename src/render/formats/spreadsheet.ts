/**
 * Spreadsheets for Excel, with up to three sheets: tables as on a terminal (only for results with `hasSheet`), rows as
 * in CSV, and information about the figures. Numbers in Excel have at most 15 digits, so rows also have each figure's
 * exact text. Loaded on demand.
 */

import writeExcelFile, { type CellObject, type Feature, type Image, type Row } from 'write-excel-file/node';
import {
  getCellAddress,
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings,
} from 'write-excel-file/utility';
import { isDecimal } from '../../contract/decimal-text.ts';
import { Failure } from '../../contract/failure.ts';
import { Decimal } from '../../contract/resources/scalars.ts';
import { RESOURCES } from '../../contract/resources.ts';
import type { Block } from '../../result/blocks.ts';
import { listFigureKeys, makeFlatRows, makeView } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { describeSources, findLink } from '../../result/sources.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

import { makeTableSheet } from './spreadsheet-tables.ts';

/** Excel's limits: rows per sheet, links per sheet, and characters per cell. */
const EXCEL_LIMITS = { rows: 1_048_576, links: 65_530, characters: 32_767 };
const MAX_COLUMN_WIDTH = 48;

interface FieldSchema {
  readonly pattern?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

const DECIMAL_PATTERN = (Decimal as FieldSchema).pattern;

/**
 * Names of fields with figures, found by their schemas: a value may look like a decimal and be an item number (2.02) or
 * a CUSIP. For a list such as `values`, also the singular, `value`, which is the name in a row.
 */
const FIGURE_FIELD_NAMES: ReadonlySet<string> = new Set(
  Object.values(RESOURCES as Readonly<Record<string, FieldSchema>>).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      (schema.pattern ?? schema.items?.pattern) === DECIMAL_PATTERN ? [name, name.replace(/s$/, '')] : [],
    ),
  ),
);

/** Whether a column of rows contains figures; a prefix `price_` is ignored. */
const isFigureField = (column: string): boolean => FIGURE_FIELD_NAMES.has(column.replace(/^price_/, ''));

/** Writes a single spreadsheet with all answers at the end; writes nothing if no input was answered. */
export function createSpreadsheetRenderer({ write, header }: RenderTarget): Renderer {
  const sheetRows: Row[] = [];
  const links: { readonly cell: string; readonly address: string }[] = [];
  const labels = new Map<string, string>();
  const blocks: Block[] = [];
  let widths: number[] = [];
  let answered = false;
  const addRow = (row: readonly CellObject[]): void => {
    if (sheetRows.length === EXCEL_LIMITS.rows) {
      throw new Failure('usage', `The result has more rows than an Excel sheet can have (${EXCEL_LIMITS.rows}).`, {
        hint: 'Add filters to get fewer rows, or use --csv.',
      });
    }
    widths = row.map(({ value }, index) =>
      Math.min(MAX_COLUMN_WIDTH, Math.max(widths[index] ?? 0, `${value ?? ''}`.length + 2)),
    );
    sheetRows.push([...row]);
  };
  return {
    answer: (result) => {
      answered = true;
      const { columns, rows } = makeFlatRows(result);
      const keys = listFigureKeys(result);
      const figureColumns = new Set(columns.filter((name) => keys.has(name) || isFigureField(name)));
      if (sheetRows.length === 0 && header) {
        const heads = columns.flatMap((name) => (figureColumns.has(name) ? [name, `${name} (exact)`] : [name]));
        addRow(heads.map(makeHeading));
      }
      for (const row of rows) {
        const cells: CellObject[] = [];
        for (const [index, value] of row.entries()) {
          const name = columns[index] ?? '';
          const address = links.length < EXCEL_LIMITS.links ? findLink(columns, row, index) : null;
          if (address !== null) links.push({ cell: getCellAddress(sheetRows.length, cells.length), address });
          cells.push(...(figureColumns.has(name) ? makeFigureCells(value) : [makeCell(value, address !== null)]));
        }
        addRow(cells);
      }
      if (result.hasSheet === true) blocks.push(...makeView(result));
      for (const [label, text] of describeSources(result)) labels.set(`${label} ${text}`, label);
    },
    addFailure: () => undefined,
    end: async () => {
      if (!answered) return;
      const columnWidths = widths.map((width) => ({ width }));
      const about = [...labels].map(([key, label]): Row => [makeHeading(label), makeText(key.slice(label.length + 1))]);
      const sheets = [
        ...makeBlockSheets(blocks),
        { data: sheetRows, sheet: ROWS_SHEET_NAME, columns: columnWidths, ...(header ? { stickyRowsCount: 1 } : {}) },
        {
          data: [...about, [makeHeading('Figures'), makeText(blocks.length === 0 ? EXACT_NOTE : EXACT_ROWS_NOTE)]],
          sheet: 'About',
          columns: [{ width: 14 }, { width: 100 }],
        },
      ];
      write(
        await writeExcelFile(sheets, {
          features: [
            makeLinksFeature(
              links,
              sheets.findIndex(({ sheet: name }) => name === ROWS_SHEET_NAME),
            ),
          ],
        }).toBuffer(),
      );
    },
  };
}

const ROWS_SHEET_NAME = 'Rows';

/** Returns one sheet with all blocks, as a list; an empty list without blocks. */
function makeBlockSheets(blocks: readonly Block[]) {
  if (blocks.length === 0) return [];
  const { rows, widths, headRows } = makeTableSheet(blocks);
  const columnWidths = widths.map((width) => ({ width }));
  return [
    {
      data: [...rows],
      sheet: 'Tables',
      columns: columnWidths,
      stickyColumnsCount: 1,
      ...(headRows > 0 ? { stickyRowsCount: headRows } : {}),
    },
  ];
}

const EXACT_NOTE = 'Columns marked (exact) have every digit, as text; numbers in a spreadsheet have at most 15 digits.';

const makeHeading = (text: string): CellObject => ({ ...makeText(text), fontWeight: 'bold' });

const makeText = (text: string) => ({ value: sanitize(text).slice(0, EXCEL_LIMITS.characters), type: String });

/** Returns two cells of a figure: a number to compute with, and the exact text. */
function makeFigureCells(value: FlatValue): [CellObject, CellObject] {
  if (typeof value !== 'string' || !isDecimal(value)) return [makeCell(value), {}];
  // Converts the figure to a binary number, because Excel computes only with these; the other cell has the exact text.
  const cell = { value: Number(value), type: Number, ...(value.includes('.') ? {} : { format: '#,##0' }) };
  return [cell, { ...makeText(value), align: 'right' }];
}

function makeCell(value: FlatValue, isLink = false): CellObject {
  if (value === null || value === '') return {};
  if (typeof value === 'boolean') return { value, type: Boolean };
  if (typeof value === 'number') return { value, type: Number, format: '0' };
  return { ...makeText(value), ...(isLink ? { textColor: '#0563C1' } : {}) };
}

const SHEET_PATH_TEMPLATE = 'xl/worksheets/sheet{id}.xml';

const EXACT_ROWS_NOTE = `The sheet ${ROWS_SHEET_NAME} has the source of each figure. ${EXACT_NOTE}`;

/**
 * Adds links to a sheet in Excel's format: the cells are listed in the sheet, and the addresses in its relations file.
 */
function makeLinksFeature(
  links: readonly { readonly cell: string; readonly address: string }[],
  rowsIndex: number,
): Feature<Image['content']> {
  const hasLinks = ({ sheetIndex }: { sheetIndex: number }): boolean => sheetIndex === rowsIndex && links.length > 0;
  const addresses = [...new Set(links.map(({ address }) => address))];
  const ids = new Map(addresses.map((address, index) => [address, `rId-link-${index + 1}`]));
  const linkElements = links.map(({ cell, address }) => `<hyperlink ref="${cell}" r:id="${ids.get(address)}"/>`);
  return {
    files: {
      transform: {
        [SHEET_PATH_TEMPLATE]: {
          transform: (xml, _, sheet) =>
            hasLinks(sheet)
              ? insertElementMarkupAccordingToOrderOfSiblings(
                  xml,
                  `<hyperlinks xmlns:r="${RELATIONSHIPS_NAMESPACE}">${linkElements.join('')}</hyperlinks>`,
                  getOrderOfSiblings(SHEET_PATH_TEMPLATE, 'worksheet') ?? [],
                  'worksheet',
                )
              : xml,
        },
        'xl/worksheets/_rels/sheet{id}.xml.rels': {
          insert: (_, sheet) =>
            hasLinks(sheet)
              ? addresses
                  .map(
                    (address) =>
                      `<Relationship Id="${ids.get(address)}" Type="${RELATIONSHIPS_NAMESPACE}/hyperlink" Target="${address.replaceAll('&', '&amp;')}" TargetMode="External"/>`,
                  )
                  .join('')
              : undefined,
        },
      },
    },
  };
}

const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
