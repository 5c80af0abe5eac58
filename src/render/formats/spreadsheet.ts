/**
 * Spreadsheets for Excel, with up to three sheets: tables as on a terminal, with formulas (only for results with
 * `hasSheet`), rows as in CSV, and information about the figures. Numbers in Excel have at most 15 digits; a column with
 * longer figures is followed by their exact texts. Loaded on demand.
 */

import writeExcelFile, { type CellObject, type Feature, type Image, type Row } from 'write-excel-file/node';
import {
  getCellAddress,
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings,
} from 'write-excel-file/utility';
import { extractSignificantDigits, isDecimal } from '../../contract/decimal-text.ts';
import { failUsage } from '../../contract/failure.ts';
import { RESOURCES } from '../../contract/resource-schemas.ts';
import { Decimal } from '../../contract/resources/scalars.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import type { Block } from '../../result/blocks.ts';
import { describeSources, findLink } from '../../result/filing-sources.ts';
import { findMainTable, makeFlatRows, makeView, type Result } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { findCellMeasure } from '../../result/table.ts';
import type { Renderer, RenderTarget } from './renderer.ts';
import { makeBoldCell, makeDayCell, makeNumberCell, makeTableSheet, makeTextCell, widen } from './spreadsheet-cells.ts';

/** Excel's limits: rows and links per sheet. */
const EXCEL_LIMITS = { rows: 1_048_576, links: 65_530 };

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
  const records: SheetRecord[] = [];
  const labels = new Map<string, string>();
  const blocks: Block[] = [];
  let columns: readonly string[] = [];
  return {
    answer: (result) => {
      for (const record of listRecords(result)) {
        const text = `The result has more rows than an Excel sheet can have (${EXCEL_LIMITS.rows}).`;
        if (records.length === EXCEL_LIMITS.rows - 1) failUsage(text, 'Add filters to get fewer rows, or use --csv.');
        records.push(record);
      }
      if (columns.length === 0) columns = makeFlatRows(result).columns;
      if (result.hasSheet === true) blocks.push(...makeView(result));
      for (const [label, text] of describeSources(result)) labels.set(`${label} ${text}`, label);
    },
    end: async () => {
      if (columns.length === 0) return;
      const { rows, widths, links, hasExactTexts } = makeRowsSheet(columns, records, header);
      const tableNotes = blocks.length === 0 ? [] : [FORMULAS_NOTE, SOURCES_NOTE];
      const notes = hasExactTexts ? [...tableNotes, EXACT_NOTE] : tableNotes;
      const sources = [...labels].map(([key, label]) => [label, key.slice(label.length + 1)]);
      const about = [...sources, ...notes.map((note) => ['Figures', note])];
      const tables = makeBlockSheets(blocks);
      const aboutRows = about.map(([label = '', text = '']): Row => [makeBoldCell(label), makeTextCell(text)]);
      const sheets = [
        ...tables.map(({ sheet }) => sheet),
        makeSheet(ROWS_SHEET_NAME, rows, widths, header ? { stickyRowsCount: 1 } : {}),
        makeSheet('About', aboutRows, [14, 100], {}),
      ];
      const formulas = tables.map((table, index) => makeFormulasFeature(table.formulas, index));
      const features = [...formulas, makeLinksFeature(links, tables.length)];
      write(await writeExcelFile(sheets, { features }).toBuffer());
    },
  };
}

/** A row of the answer: its values, the measure of each figure, and the address to which each value links. */
interface SheetRecord {
  readonly values: readonly FlatValue[];
  /** Null for a figure of unknown measure; undefined for other values. */
  readonly measures: readonly (Measure | null | undefined)[];
  readonly addresses: readonly (string | null)[];
}

function* listRecords(result: Result): Generator<SheetRecord> {
  const { columns, rows } = makeFlatRows(result);
  const table = findMainTable(result);
  const tableColumns = columns.map((name) => table.columns.find(({ key }) => key === name));
  const isFigure = columns.map((name, index) => tableColumns[index]?.measure !== undefined || isFigureField(name));
  const items = table.records()[Symbol.iterator]();
  for (const values of rows) {
    const { value: record } = items.next();
    yield {
      values,
      measures: tableColumns.map((column, index) =>
        isFigure[index] !== true ? undefined : column === undefined ? null : findCellMeasure(column, record),
      ),
      addresses: values.map((_, index) => findLink(columns, values, index)),
    };
  }
}

type SheetLink = Readonly<Record<'cell' | 'address', string>>;

/** Returns the rows of a sheet; a column whose figures Excel cannot store is followed by their exact texts. */
function makeRowsSheet(columns: readonly string[], records: readonly SheetRecord[], header: boolean) {
  const isExact = columns.map((_, column) =>
    records.every(({ values, measures }) => {
      const value = values[column];
      return measures[column] === undefined || typeof value !== 'string' || countDigits(value) <= MAX_DIGITS;
    }),
  );
  const links: SheetLink[] = [];
  const heads = columns.flatMap((name, index) => (isExact[index] === true ? [name] : [name, `${name} (exact)`]));
  const rows: CellObject[][] = header ? [heads.map(makeBoldCell)] : [];
  for (const { values, measures, addresses } of records) {
    const cells: CellObject[] = [];
    for (const [index, value] of values.entries()) {
      const address = links.length < EXCEL_LIMITS.links ? (addresses[index] ?? null) : null;
      if (address !== null) links.push({ cell: getCellAddress(rows.length, cells.length), address });
      cells.push(makeValueCell(value, measures[index], address !== null));
      if (isExact[index] !== true) cells.push({ ...makeTextCell(`${value ?? ''}`), align: 'right' });
    }
    rows.push(cells);
  }
  const widths: number[] = [];
  for (const row of rows) widen(widths, row);
  return { rows, widths, links, hasExactTexts: isExact.includes(false) };
}

/** Maximum number of digits that Excel stores. */
const MAX_DIGITS = 15;

const countDigits = (value: string): number => (isDecimal(value) ? extractSignificantDigits(value).length : 0);

const ROWS_SHEET_NAME = 'Rows';

/** Returns one sheet with all blocks and its formulas, as a list; an empty list without blocks. */
function makeBlockSheets(blocks: readonly Block[]) {
  if (blocks.length === 0) return [];
  const { rows, widths, headRows, formulas } = makeTableSheet(blocks);
  const sticky = { stickyColumnsCount: 1, ...(headRows > 0 ? { stickyRowsCount: headRows } : {}) };
  return [{ sheet: makeSheet('Tables', rows, widths, sticky), formulas }];
}

const makeSheet = (sheet: string, data: Row[], widths: readonly number[], sticky: Readonly<Record<string, number>>) => {
  return { sheet, data, columns: widths.map((width) => ({ width })), ...sticky };
};

const FORMULAS_NOTE =
  'Sums, ratios and growth of the sheet Tables are formulas if they give exactly the figure of fin; all other figures are numbers.';
const SOURCES_NOTE = `The sheet ${ROWS_SHEET_NAME} has the source of each figure.`;
const EXACT_NOTE = 'Columns marked (exact) have every digit, as text; numbers in a spreadsheet have at most 15 digits.';

function makeValueCell(value: FlatValue, measure: Measure | null | undefined, isLink: boolean): CellObject {
  if (value === null || value === '') return {};
  if (typeof value === 'boolean') return { value, type: Boolean };
  if (typeof value === 'number') return { value, type: Number, format: '0' };
  if (measure !== undefined && isDecimal(value)) return makeNumberCell(value, measure);
  return { ...makeDayCell(value), ...(isLink ? { textColor: '#0563C1' } : {}) };
}

const SHEET_PATH_TEMPLATE = 'xl/worksheets/sheet{id}.xml';

/** Adds formulas to a sheet's cells. The cells keep their values for programs that do not compute formulas. */
const makeFormulasFeature = (formulas: ReadonlyMap<string, string>, sheetIndex: number): Feature<Image['content']> => ({
  files: {
    transform: {
      [SHEET_PATH_TEMPLATE]: {
        transform: (xml, _, sheet) =>
          sheet.sheetIndex === sheetIndex
            ? xml.replace(/(<c r="([A-Z]+\d+)"[^>]*>)(?=<v>)/g, (cell, _tag, address: string) => {
                const formula = formulas.get(address);
                return formula === undefined ? cell : `${cell}<f>${formula}</f>`;
              })
            : xml,
      },
    },
  },
});

/**
 * Adds links to a sheet in Excel's format: the cells are listed in the sheet, and the addresses in its relations file.
 */
function makeLinksFeature(links: readonly SheetLink[], rowsIndex: number): Feature<Image['content']> {
  const hasLinks = ({ sheetIndex }: { sheetIndex: number }): boolean => sheetIndex === rowsIndex && links.length > 0;
  const addresses = [...new Set(links.map(({ address }) => address))];
  const ids = new Map(addresses.map((address, index) => [address, `rId-link-${index + 1}`]));
  const elements = links.map(({ cell, address }) => `<hyperlink ref="${cell}" r:id="${ids.get(address)}"/>`);
  const hyperlinks = `<hyperlinks xmlns:r="${RELATIONSHIPS_NAMESPACE}">${elements.join('')}</hyperlinks>`;
  const siblings = getOrderOfSiblings(SHEET_PATH_TEMPLATE, 'worksheet');
  const formatRelationship = (address: string): string =>
    `<Relationship Id="${ids.get(address)}" Type="${RELATIONSHIPS_NAMESPACE}/hyperlink" Target="${address.replaceAll('&', '&amp;')}" TargetMode="External"/>`;
  return {
    files: {
      transform: {
        [SHEET_PATH_TEMPLATE]: {
          transform: (xml, _, sheet) =>
            hasLinks(sheet)
              ? insertElementMarkupAccordingToOrderOfSiblings(xml, hyperlinks, siblings ?? [], 'worksheet')
              : xml,
        },
        'xl/worksheets/_rels/sheet{id}.xml.rels': {
          insert: (_, sheet) => (hasLinks(sheet) ? addresses.map(formatRelationship).join('') : undefined),
        },
      },
    },
  };
}

const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
