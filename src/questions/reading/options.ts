/** Options of the commands that read documents, and the filings and documents that they choose. */
import type { Answer } from '../../ask/command/answer.ts';
import type { DocumentRequest, GivenArguments, QuestionCommand } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec, ParsedArguments } from '../../ask/command/option-spec.ts';
import type { DocumentChoice } from '../../client/request/ports.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { normalizeAccession, replaceArchiveAddress } from '../../contract/identifiers.ts';
import { withParameter } from '../../contract/question.ts';
import type { Filing, FilingSource } from '../../contract/resources/filings.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';

/** Forms of annual reports. If the user names no form, the newest filing of these forms is read. */
export const ANNUAL_FORMS = ['10-K', '10-K405', '10-KSB', '10-KT', '20-F', '40-F'];

/** Options of every command that reads documents. */
export const READING_OPTIONS: readonly OptionSpec[] = [
  { name: 'contact', value: 'text', help: 'Your name and e-mail address, which the SEC asks for (or set FIN_CONTACT)' },
  { name: 'site', value: 'url', help: "Address of a copy of the SEC's site to read from (or set FIN_EDGAR_URL)" },
  { name: 'html', value: 'file', optional: true, help: 'Write the text as an HTML page, to a file or stdout' },
  // Hidden options, accepted only so that an error can explain why documents have no charts.
  { name: 'svg', value: 'file', optional: true, hidden: true, help: 'Not for documents' },
  { name: 'chart', hidden: true, help: 'Not for documents' },
];

export const TICKER_HELP = 'Ticker of the company, or accession number of a filing';

/** Returns the value of an option; null if the option is not given. Throws a usage Failure for several values. */
export function findOption(options: GivenOptions, name: string): string | null {
  const [text, ...others] = options.get(name) ?? [];
  if (others.length > 0) failUsage(say`${option(name)} takes one value.`);
  return text ?? null;
}

/** Throws a usage Failure for formats that draw charts. */
export function refuseCharts(options: GivenOptions): void {
  const name = ['svg', 'chart'].find((format) => options.has(format));
  if (name === undefined) return;
  const hint = say`Use ${option('html')} or ${option('output', 'md')}.`;
  failUsage(say`${option(name)} draws figures, but a document is text.`, hint);
}

const readAccession = (text: string): string | null => normalizeAccession(replaceArchiveAddress(text.trim()));

/**
 * Whether the arguments from index `first` on are filings instead of companies. Throws a usage Failure for a mixture of
 * both, and for options that would choose among a company's filings (`choiceNames`).
 */
export function areFilings({ args, options }: ParsedArguments, first: number, choiceNames: readonly string[]): boolean {
  const names = args.slice(first);
  const companies = names.filter((name) => readAccession(name) === null);
  const [company] = companies;
  if (names.length === companies.length) return false;
  if (company !== undefined)
    failUsage(`Give tickers or accession numbers, not both: ${quote(company)} is not an accession number.`);
  const name = choiceNames.find((choice) => options.has(choice));
  if (name === undefined) return true;
  failUsage(say`${option(name)} chooses among a company's filings: remove it, or give a ticker.`);
}

/**
 * Returns the same command for accession numbers, if the last arguments are filings instead of companies; otherwise
 * null.
 * @param choiceNames names of options that would choose among a company's filings
 */
export function delegateFilings(command: QuestionCommand, parsed: ParsedArguments, choiceNames: readonly string[]) {
  const firstArgs = command.args.slice(0, -1);
  if (!areFilings(parsed, firstArgs.length, choiceNames)) return null;
  const { delegate: _, parameters: __, parameterHelp: ___, fetchesAllRows: ____, ...common } = command;
  const ofFilings: QuestionCommand = {
    ...common,
    operation: 'filing',
    args: [...firstArgs, { parameter: 'accession', many: true, read: replaceArchiveAddress }],
    examples: {},
    request: async (given) => {
      // Called only because it checks the options.
      await command.request?.(given);
      return { parameters: given.givenParameters };
    },
  };
  return { command: ofFilings, parsed };
}

/** Returns the request for a company's filings of some forms, newest first. */
export function requestFilings({ givenParameters, options }: GivenArguments, forms: readonly string[], limit: number) {
  refuseCharts(options);
  const parameters = withParameter(withParameter(givenParameters, 'forms', forms.join(',')), 'limit', String(limit));
  return { parameters, extent: { kind: 'page' } } as const;
}

/** Returns the forms of `--form`, separated by commas; by default the forms of annual reports. */
export function readForms(options: GivenOptions): readonly string[] {
  const form = findOption(options, 'form');
  return form === null ? ANNUAL_FORMS : form.split(',').map((name) => name.trim().toUpperCase());
}

/** Returns the choice of a document in a filing. Throws a usage Failure if two options choose a document. */
export function readDocumentChoice(options: GivenOptions): DocumentChoice {
  const number = findOption(options, 'exhibit');
  const name = findOption(options, 'document');
  if (number !== null && name !== null)
    failUsage(say`${option('exhibit')} and ${option('document')} both choose a document: give one.`);
  if (name !== null) return { kind: 'file', name };
  return number === null ? { kind: 'own' } : { kind: 'exhibit', number };
}

/** A filing in an answer of `filings` or `filing`. */
export type ChosenFiling = ReturnType<typeof listFilings>[number];

const LAST_DAY = '9999-12-31';

/** An answer of `filings` or `filing`. */
export type FilingsAnswer = Pick<Answer<readonly Filing[] | FilingSource>, 'data' | 'meta'>;

/** Returns the filings of an answer, newest first. */
export const listFilings = (data: FilingsAnswer['data']) =>
  (Array.isArray(data) ? (data as readonly Filing[]) : [data as FilingSource]).map((filing) => {
    const { report_date: end = null, fiscal_year: fiscalYear = null } = filing as Partial<Filing>;
    const { accession_number: accession, form, filed_at: filed = null } = filing;
    /** The items of a form depend on this day: the end of the period or, if unknown, the day of filing. */
    const day = end ?? filed ?? LAST_DAY;
    return { accession, form, filed, day, fiscalYear };
  });

/** Returns the newest filing. Throws a `not_found` Failure if the answer has no filing. */
export function chooseFiling(data: FilingsAnswer['data'], options: GivenOptions): ChosenFiling {
  const [filing] = listFilings(data);
  if (filing !== undefined) return filing;
  const forms = readForms(options).join(', ');
  throw new Failure('not_found', `There is no filing of the form ${forms}.`, {
    hint: say`To see the filings: ${call('filings', { ticker: '<ticker>' })}. To choose a form: ${option('form')}`,
  });
}

export const toDocumentRequest = ({ accession }: ChosenFiling, options: GivenOptions): DocumentRequest => ({
  accession,
  choice: readDocumentChoice(options),
});
