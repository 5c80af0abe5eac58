/** The Markdown page that describes the typed tables of one release, or of any release. */
import { TYPED_TABLES, type TypedTable } from './typed-tables.ts';
import { toSqlType, type WrittenTable } from './write-typed-tables.ts';

type TablesByName = Readonly<Record<string, Pick<WrittenTable, 'rows' | 'columns'>>>;

/** Returns column descriptions that hold for any release; `n` stands for decimal places that depend on the release. */
const describeColumns = (columns: TypedTable['columns']) =>
  columns.map(({ name, type, about }) => ({ name, type: toSqlType(type, 'n'), about }));

/** Returns Markdown that describes the typed tables of one release. */
export const renderTablesPage = (stamp: string, tables: TablesByName): string =>
  renderPage(
    `# The tables of release ${stamp}`,
    TYPED_TABLES.flatMap((table) => {
      const written = tables[table.name];
      return written === undefined ? [] : [renderSection(table, written.columns, ` ${written.rows} rows.`)];
    }),
  );

/** Returns Markdown that describes the typed tables of any release. */
export const renderGenericTablesPage = (): string =>
  renderPage(
    '# The typed tables',
    TYPED_TABLES.map((table) => renderSection(table, describeColumns(table.columns), '')),
  );

const renderPage = (title: string, sections: readonly string[]): string =>
  `${[title, VALUE_RULES_MARKDOWN, ...sections].join('\n\n')}\n`;

const VALUE_RULES_MARKDOWN = [
  '- A value is exact: DECIMAL(38,n) has the number of decimals that the column needs.',
  '- A value that does not fit the type of its column, such as an impossible date, is null. Its text is in a second column,',
  '  whose name ends in `_text`. A table has such a column only if some values need it.',
  '- Times are in UTC. Dates are as filed.',
].join('\n');

function renderSection(
  { name, about, order }: TypedTable,
  columns: readonly { readonly name: string; readonly type: string; readonly about: string }[],
  count: string,
): string {
  const lines = columns.map(({ name, type, about }) => `| \`${name}\` | ${type} | ${about.replaceAll('|', '\\|')} |`);
  return [
    `## ${name}`,
    `${about}${count} Sorted by ${order}.`,
    ['| column | type | description |', '| --- | --- | --- |', ...lines].join('\n'),
  ].join('\n\n');
}

export type DescribedTable = ReturnType<typeof describeTypedTables>[number];

/** Describes the typed tables, which have the same columns in every release. */
export const describeTypedTables = () =>
  TYPED_TABLES.map(({ name, about, order, columns }) => ({ name, about, order, columns: describeColumns(columns) }));
